package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"

	"github.com/spf13/cobra"
)

func configCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Print the effective configuration without secrets, and its errors",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(os.Environ())
			err = errors.Join(checkVariables(os.Environ()), err, c.Validate())
			value := reflect.ValueOf(c.withoutNodeKeys())
			for i := range value.NumField() {
				if !value.Type().Field(i).IsExported() {
					continue
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s%s=%v\n", prefix, value.Type().Field(i).Tag.Get("env"), value.Field(i))
			}
			return err
		},
	}
}

// withoutNodeKeys reduces the addresses of nodes to scheme and host, because the rest often contains
// an access key.
func (c config) withoutNodeKeys() config {
	c.RPCURLs = slices.Clone(c.RPCURLs)
	for i, address := range c.RPCURLs {
		c.RPCURLs[i] = originOf(address)
	}
	c.WSURL = originOf(c.WSURL)
	return c
}
