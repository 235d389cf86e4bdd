// SPDX-License-Identifier: GPL-2.0-or-later
// Listens as a model server does, on OLLAMA_HOST or on the address and port that are given, and answers each
// connection with a line.
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const char *where = argc > 1 && strchr(argv[1], ':') ? argv[1] : getenv("OLLAMA_HOST");
	char text[64];
	snprintf(text, sizeof text, "%s", where ? where : "127.0.0.1:11434");
	char *colon = strrchr(text, ':');
	if (!colon)
		return 2;
	*colon = 0;
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(colon + 1))};
	if (inet_pton(AF_INET, text, &address.sin_addr) != 1)
		return 2;
	const int listener = socket(AF_INET, SOCK_STREAM, 0);
	const int one = 1;
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 8)) {
		perror(text);
		return 1;
	}
	for (;;) {
		const int peer = accept(listener, NULL, NULL);
		if (peer < 0)
			continue;
		if (write(peer, "here\n", 5) != 5)
			perror("write");
		close(peer);
	}
}
