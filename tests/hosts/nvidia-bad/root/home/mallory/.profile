umask 022
umask u=rwx,g=rwx,o=rx
