package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// helpTopics are chapters of help that belong to no command.
func helpTopics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "exit-codes", Short: "What the exit codes mean", Long: exitCodesTopic},
		{Use: "configuration", Short: "What can be configured, and where", Long: configurationTopic()},
		{Use: "wallets", Short: "Where the wallet that signs can be", Long: walletsTopic},
		{Use: "unsigned", Short: "How another wallet signs and sends", Long: unsignedTopic},
		{Use: "amounts", Short: "How amounts are written", Long: amountsTopic},
	}
}

const exitCodesTopic = `Exit codes:

    0  done
    1  failed, for another reason than those below
    2  wrong usage: an unknown flag, a missing or misspelled value, a faulty configuration
    3  refused by the API: what was asked does not fit (its sentence says why)
    4  not authorised: no API key, one that is not in force, or an account that may not do this
    5  refused or failed on the chain, or by a safety check: other contracts, other terms, another wallet
    6  not now, try again: no connection, too many requests, a service that is away, a transaction not mined yet
    7  declined at the question, or nobody was there to answer it
  130  interrupted

What went wrong is on stderr as one line that begins with "taskmarket:", and below it, where there is
advice, a line that begins with "hint:". "[request …]" identifies the request for whoever runs the service.

With --json an error is also a document on stdout, wrong usage included, unless a result was printed before:

    {"error": "not_found", "message": "…", "hint": "…", "request_id": "…"}

"error" is the API's code. An error that has none is one of failed (1), usage (2), refused (3), unauthorized (4),
chain (5), unavailable (6), declined (7) and interrupted (130). "hint" and "request_id" may be empty; "details" lists
the members at fault, where the API names them. The stdout of watch carries events only.`

const walletsTopic = `The wallet that signs is one of these. Set one of them; a flag goes over the environment, and that over the file:

  TASKMARKET_PRIVATE_KEY_FILE   a file with the private key, 64 hexadecimal digits, readable by you alone;
                                or TASKMARKET_PRIVATE_KEY with the key itself
  TASKMARKET_KEYSTORE           a keystore file (version 3), or the name of one in ~/.foundry/keystores. Its
                                password is asked for, or is in the file TASKMARKET_KEYSTORE_PASSWORD_FILE
  TASKMARKET_SIGNER_URL         a program that holds the key and signs over JSON-RPC (https, or http on this
                                machine): by the methods of wallets (eth_accounts, eth_signTransaction,
                                personal_sign, eth_signTypedData_v4) or of Clef (account_list and so on).
                                What it answers is used only if it is this wallet's signature over exactly
                                what was asked for. Of several accounts, TASKMARKET_WALLET_ADDRESS is used

With none of them, a person at the terminal is asked for the private key, which is not shown and not kept.
Commands that send a transaction also work without a wallet: with --unsigned they print what any other wallet
can sign and send, for the address in TASKMARKET_WALLET_ADDRESS or --wallet.`

const unsignedTopic = `Commands that send a transaction also work for a wallet whose key this program never sees, a hardware wallet
for example. Give the same arguments each time:

  1. --unsigned prints a JSON document. "transaction" is what the wallet signs and sends: from, to, data, value,
     chain_id, and the gas and fees that it may take. The wallet chooses the nonce. Before it is printed, the call
     is compared with what was asked for, and tried on the chain.
  2. create-task needs a signature first: the document has "typed_data" (EIP-712), the permit that lets the
     escrow take exactly the amount. Sign it, put the signature (65 bytes in hexadecimal digits) into a file, and
     give --unsigned --signature FILE: then the transaction is printed. The permit stays the same for at least
     a week, unless the wallet uses another permit for this token in the meantime.
  3. --tx-hash HASH waits until the transaction that was sent is mined, and for the market to show it.

With Foundry's cast, for example:

  taskmarket create-task ... --unsigned | jq .typed_data > permit.json
  cast wallet sign --ledger --data --from-file permit.json > signature
  taskmarket create-task ... --unsigned --signature signature > posting.json
  cast send --ledger --rpc-url URL "$(jq -r .transaction.to posting.json)" "$(jq -r .transaction.data posting.json)"
  taskmarket create-task ... --tx-hash HASH

A record of the task, or the reason of a dispute or a rejection, is made at the market by --unsigned already:
both are part of what is sent. --key gives create-task a name by which the three commands find each other.`

const amountsTopic = `Amounts are given with the token's symbol, in capitals or not, or as a whole number of wei:

  "10 TASK"              ten tokens
  "0.5 TASK"             half a token
  500000000000000000     the same in wei; 1 token is 10^18 wei

Any other symbol is refused. Results show tokens; with --json they are in wei, as strings, like the API's.`

func configurationTopic() string {
	var b strings.Builder
	b.WriteString("A value is taken from the first of these that has one: a flag, the environment, the configuration file.\n" +
		"`taskmarket config` shows what is in force and where it comes from; `taskmarket register` writes the file.\n\n" +
		"The file is --config, else TASKMARKET_CONFIG, else taskmarket/config.yaml in $XDG_CONFIG_HOME (~/.config).\n" +
		"It is refused when others than you can read it, own it or write into its folder. Journals are in\n" +
		"TASKMARKET_STATE_DIR, else in taskmarket/ in $XDG_STATE_HOME (~/.local/state). NO_COLOR is honoured.\n\n" +
		"Settings, as the file spells them. In the environment they are upper case and begin with TASKMARKET_:\n\n")
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
	b.WriteString("\nSecrets are never flags, because others on the machine can see a program's arguments. A secret's file is\n" +
		"named by the setting with _file appended (TASKMARKET_API_KEY_FILE), and must be readable by you alone.")
	return b.String()
}
