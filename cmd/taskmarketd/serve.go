package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"reflect"
	"slices"

	"github.com/spf13/cobra"

	"taskmarket/store/schema"
)

func serveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Serve the API, follow the chain and run the keeper",
		Long: "Serve the API, follow the chain and run the keeper, configured by the environment (see `taskmarketd config`).\n" +
			"Any number of replicas can use one database; one of them at a time follows the chain.\n\n" +
			"After SIGTERM the process serves requests for " + tuned.StopDelay.String() + " while /readyz fails, and then waits\n" +
			"up to " + drainTimeout.String() + " for open requests.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(os.Environ())
			if err := errors.Join(checkVariables(os.Environ()), err, c.Validate()); err != nil {
				return err
			}
			log := c.logger(os.Stderr)
			s, err := newService(cmd.Context(), c, log)
			if err != nil {
				return err
			}
			defer s.close(cmd.Context())
			listener, err := new(net.ListenConfig).Listen(cmd.Context(), "tcp", c.Listen)
			if err != nil {
				return fmt.Errorf("%sLISTEN: %w", prefix, err)
			}
			log.Info("serving", slog.String("listen", listener.Addr().String()), slog.String("version", version))
			return s.run(cmd.Context(), listener)
		},
	}
}

func migrateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Migrate the database schema",
		Long:  "Apply the missing migrations. Then grant DATABASE_SERVICE_ROLE the privileges that `serve` needs.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(os.Environ())
			if err := errors.Join(append(c.plaintextFaults(), err)...); err != nil {
				return err
			}
			if c.DatabaseURL == "" {
				return fmt.Errorf("%sDATABASE_URL is missing", prefix)
			}
			applied, err := schema.Migrate(cmd.Context(), string(c.DatabaseURL))
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d migrations applied\n", applied)
			return schema.Grant(cmd.Context(), string(c.DatabaseURL), c.DatabaseServiceRole)
		},
	}
}

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
