package main

import (
	"strconv"

	"taskmarket/server"
	"taskmarket/web"
)

// app is the web app as the configuration has it told.
func (c config) app() *server.App {
	files, _ := web.Files()
	name := c.ChainName
	if name == "" {
		name = "Chain " + strconv.FormatUint(c.ChainID, 10)
	}
	return &server.App{Files: files, Routes: web.Routes(), ChainName: name, RPCURL: c.PublicRPCURL, FaucetPath: c.faucetPath}
}
