"""The editor side: the only package that knows pygls and lsprotocol. Reaches everything through the bridge."""
