// Package rpc calls the nodes of a chain. A Node is one or more RPC providers of one chain, called one at a time.
//
// Nodes fail, lag and may be dishonest. Each answer is checked against block headers. The hashes of
// the headers are computed here, and each header must build on the one before. An answer that does
// not match counts as an error of that provider, never as an empty answer. A provider must support
// batches and eth_getBlockReceipts.
package rpc
