"""The product in a phone: the same application, run by Python in the browser, without a server or a network."""
