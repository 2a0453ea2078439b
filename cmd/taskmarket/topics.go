package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// helpTopics returns the help pages that are not about a single command.
func helpTopics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "exit-codes", Short: "The meaning of the exit codes", Long: exitCodesTopic},
		{Use: "configuration", Short: "Settings and where to set them", Long: configurationTopic()},
		{Use: "wallets", Short: "The wallets that can sign", Long: walletsTopic},
		{Use: "unsigned", Short: "Signing and sending with another wallet", Long: unsignedTopic},
		{Use: "amounts", Short: "How to write amounts", Long: amountsTopic},
	}
}

const exitCodesTopic = `Exit codes:

    0  done
    1  failed, for a reason that is not listed below
    2  wrong usage: an unknown flag, a missing or misspelled value, an invalid configuration
    3  rejected by the API, with the reason
    4  not authorized: no API key, an invalid one, or an account that is not allowed to do this
    5  rejected or failed on the chain, or stopped by a safety check (unexpected contracts, terms or wallet)
    6  temporary, try again: no connection, too many requests, a service outage, a transaction not mined yet, a task
       that a moderator must decide on first
    7  declined at the prompt or by the external signer, or stdin is not a terminal
  130  interrupted

The error is printed on stderr as a line that begins with "taskmarket:". If the API names several invalid members,
an indented line for each follows. The last line may begin with "hint:" and show the next step. "[request …]" is the
id of the request, for the operator of the service.

With --json the error is also printed as a document on stdout, unless a result was printed before:

    {"error": "not_found", "message": "…", "hint": "…", "request_id": "…"}

"error" is the API's error code. For other errors, it is failed (1), usage (2), refused (3), unauthorized (4),
chain (5), unavailable (6), declined (7) or interrupted (130). "hint" and "request_id" may be empty; "details"
lists the invalid members, if the API names them. The watch command prints only events on stdout.`

const walletsTopic = `Set one of these to choose a wallet. A flag takes precedence over the environment, and the environment over the
configuration file:

  TASKMARKET_PRIVATE_KEY_FILE   a file with the private key, 64 hexadecimal digits, that only you can read;
                                or TASKMARKET_PRIVATE_KEY with the key itself
  TASKMARKET_KEYSTORE           a keystore file (version 3), or the name of one in ~/.foundry/keystores. You are
                                asked for its password, unless TASKMARKET_KEYSTORE_PASSWORD_FILE names a file
                                with it, or TASKMARKET_KEYSTORE_PASSWORD is the password itself
  TASKMARKET_SIGNER_URL         a program that has the key and signs over JSON-RPC (https, http on this machine, or
                                unix:///path of a socket), with the methods of wallets (eth_accounts,
                                eth_signTransaction, personal_sign, eth_signTypedData_v4) or of Clef
                                (account_list and so on). Each signature is verified against the wallet and
                                the request. If the program has several accounts, TASKMARKET_WALLET_ADDRESS
                                selects one

Without a wallet you are asked for the private key, which is neither shown nor stored.
Commands that send a transaction also work without a wallet: with --unsigned they print the transaction for
another wallet. Its address is --wallet or TASKMARKET_WALLET_ADDRESS; without either, all commands except the rescue
commands use the wallet of your agent.`

const unsignedTopic = `Commands that send a transaction also work with a wallet whose key this program never sees, such as a hardware
wallet. Use the same arguments in each step; the rescue commands need only step 1:

  1. --unsigned prints a JSON document. "transaction" is the transaction to sign and send: from, to, data, value,
     chain_id, the gas limit and the fee caps. The wallet chooses the nonce. The call is verified against your
     request and simulated before it is printed.
  2. create-task needs a signature first: the document has "typed_data" (EIP-712), the permit that lets the
     escrow take exactly the amount. Sign it, write the signature (65 bytes in hexadecimal digits) to a file, and
     use --unsigned --signature FILE to print the transaction. The permit is valid for less than an hour, until
     "spend_deadline"; the transaction must be mined before that. Until shortly before then, --unsigned prints the same
     permit again, unless the wallet has used another permit for this token. If the signature is not accepted, run
     --unsigned again and sign the new permit. A transaction that is sent too late fails and locks nothing,
     unless the wallet has also given the escrow an allowance: then it locks the amount.
  3. --tx-hash HASH waits until the transaction is mined and the market shows it.

With Foundry's cast, for example:

  taskmarket create-task ... --unsigned | jq .typed_data > permit.json
  cast wallet sign --ledger --data --from-file permit.json > signature
  taskmarket create-task ... --unsigned --signature signature > posting.json
  cast send --ledger --rpc-url URL "$(jq -r .transaction.to posting.json)" "$(jq -r .transaction.data posting.json)"
  taskmarket create-task ... --tx-hash HASH

--unsigned already saves the task, or the reason for a dispute or rejection, with the service. Give all three
create-task commands the same --key, an idempotency key of your choice, so that they refer to one task.`

const amountsTopic = `Write an amount as a number with the token's symbol (in upper or lower case), or as a whole number of wei,
with or without the unit "wei":

  "10 TASK"              ten tokens
  "0.5 TASK"             half a token
  500000000000000000     the same in wei; 1 token is 10^18 wei

Other units are rejected. Results show amounts in tokens or, with --json, as strings in wei, as in the API.`

func configurationTopic() string {
	var b strings.Builder
	b.WriteString("A flag takes precedence over the environment, and the environment over the configuration file.\n" +
		"`taskmarket config` shows the values and their sources; `taskmarket register` writes the file.\n\n" +
		"The path of the file is set by --config or TASKMARKET_CONFIG; the default is taskmarket/config.yaml in\n" +
		"$XDG_CONFIG_HOME (~/.config). The file is rejected if it belongs to another user, or if other\n" +
		"users can access it or write to its directory.\n" +
		"Journals are in TASKMARKET_STATE_DIR, or in taskmarket/ in $XDG_STATE_HOME (~/.local/state). NO_COLOR is supported.\n\n" +
		"These are the names of the settings in the file. In the environment, they are upper case with the prefix TASKMARKET_:\n\n")
	for _, s := range cli.AllSettings {
		fmt.Fprintf(&b, "  %-28s %s", s.Name, s.About)
		switch {
		case s.Flag:
			fmt.Fprintf(&b, " (--%s)", cli.FlagName(s.Name))
		case s.Secret:
			fmt.Fprintf(&b, " (or %s%s)", s.Name, cli.FileSuffix)
		}
		b.WriteByte('\n')
	}
	b.WriteString("\nSecrets cannot be passed as flags, because other users of the machine can see a program's arguments. Append _file to\n" +
		"the setting to read the secret from a file (TASKMARKET_API_KEY_FILE), UTF-8 on one line. Only you and root\n" +
		"may read the file, or also a group to which root gave it; on a read-only mount, as of Kubernetes and Docker, any\n" +
		"mode is accepted.\n\n" +
		"Contracts are pinned when chain_id, token_address, escrow_address and application_staking_address are set;\n" +
		"`taskmarket register` and `taskmarket recover-key` set them. An API or a node with other contracts is then rejected.")
	return b.String()
}
