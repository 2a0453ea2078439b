package main

import (
	"strconv"

	"taskmarket/server/site"
	"taskmarket/web"
)

// app returns the web app, configured for the chain.
func (c config) app() *site.App {
	files, _ := web.Files()
	name := c.deployed.ChainName
	if name == "" {
		name = "Chain " + strconv.FormatUint(c.deployed.ChainID, 10)
	}
	return &site.App{Files: files, Routes: web.Routes(), ChainName: name, RPCURL: c.deployed.PublicRPCURL, FaucetPath: c.faucetPath}
}
