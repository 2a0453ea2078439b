package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"taskmarket/market"
	"taskmarket/store"
)

// longestAnswer is the maximum size of a response from the faucet or the social network, in bytes.
const longestAnswer = 64 << 10

// faucetCommand returns the command that requests tokens and coins from the development faucet.
func faucetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "faucet WALLET",
		Short: "Fund a wallet with tokens and coins of the running development world",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			base, err := worldVariable("FAUCET_URL")
			if err != nil {
				return err
			}
			reply, err := postJSON(cmd.Context(), base+"/"+url.PathEscape(args[0]), "", nil)
			if err != nil {
				return fmt.Errorf("fund the wallet: %w", err)
			}
			_, err = cmd.OutOrStdout().Write(reply)
			return err
		},
	}
}

// devConsoleCommand returns the command that prints a sign-in link for the world's console.
func devConsoleCommand() *cobra.Command {
	var role string
	command := &cobra.Command{
		Use:   "console",
		Short: "Print a link that signs you in to the console of the running development world",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			origin, err := worldVariable("CONSOLE_URL")
			if err != nil {
				return err
			}
			database, err := worldVariable("DEV_DATABASE_URL")
			if err != nil {
				return err
			}
			ctx := byOperator(cmd.Context())
			s, err := store.Open(ctx, database, market.Deployment{})
			if err != nil {
				return err
			}
			defer s.Close()
			return printSignIn(ctx, config{ConsoleURL: origin}, s, "developer", role, cmd.OutOrStdout())
		},
	}
	command.Flags().StringVar(&role, "role", string(market.RoleOperator), "moderator or operator")
	return command
}

func postCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "post HANDLE [TEXT]",
		Short: "Post on the stand-in for the social network and print the post's URL",
		Long:  "Post on the stand-in for the social network, with the given handle, and print the post's URL. Without an\nargument the text is read from stdin.",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			text := strings.Join(args[1:], "")
			if len(args) == 1 {
				raw, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), longestAnswer))
				if err != nil {
					return fmt.Errorf("read the post: %w", err)
				}
				text = strings.TrimSpace(string(raw))
			}
			base, err := worldVariable("SOCIAL_URL")
			if err != nil {
				return err
			}
			address, err := publish(cmd.Context(), base, args[0], text)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), address)
			return err
		},
	}
}

// worldVariable returns a variable of the running world, from the environment or from the world's
// env file.
func worldVariable(name string) (string, error) {
	if value := os.Getenv(prefix + name); value != "" {
		return value, nil
	}
	c, err := parse[devConfig](os.Environ())
	if err != nil {
		return "", err
	}
	raw, err := os.ReadFile(filepath.Join(c.Dir, "env"))
	if err != nil {
		return "", fmt.Errorf("no development world is running in %s; start one with `make run`, or set %s%s", c.Dir, prefix, name)
	}
	for line := range strings.Lines(string(raw)) {
		if value, ok := strings.CutPrefix(line, prefix+name+"="); ok {
			return strings.TrimSpace(value), nil
		}
	}
	return "", fmt.Errorf("the development world in %[1]s has no %[2]s%[3]s; restart it with `make run`, or set %[2]s%[3]s", c.Dir, prefix, name)
}

// publish publishes a text on the simulated social network under a handle and returns the post's
// URL.
func publish(ctx context.Context, network, handle, text string) (string, error) {
	body, err := json.Marshal(map[string]string{"status": text})
	if err != nil {
		return "", fmt.Errorf("write a post: %w", err)
	}
	reply, err := postJSON(ctx, network+"/api/v1/statuses", handle, body)
	if err != nil {
		return "", fmt.Errorf("publish a post: %w", err)
	}
	var status struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(reply, &status); err != nil || status.URL == "" {
		return "", errors.Join(errors.New("publish a post: the network returned no URL"), err)
	}
	return status.URL, nil
}

// postJSON sends a POST request with a JSON body, and with a bearer token if one is specified. It
// returns the body of a successful response.
func postJSON(ctx context.Context, address, bearer string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if bearer != "" {
		request.Header.Set("Authorization", "Bearer "+bearer)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(response.Body, longestAnswer))
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, bytes.TrimSpace(reply))
	}
	return reply, err
}
