c = get_config()
c.JupyterHub.authenticator_class = 'dummy'
