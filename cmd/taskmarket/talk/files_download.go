package talk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
)

type downloadOptions struct {
	*cli.App
	output    string
	force     bool
	unchecked bool
}

func filesDownloadCommand(a *cli.App) *cobra.Command {
	o := &downloadOptions{App: a}
	c := &cobra.Command{
		Use:   "download TASK FILE",
		Short: "Download a file of a task",
		Long: "Download a file of a task, readable by you alone. It is kept only when its bytes are those of its record, and\n" +
			"a file of the human's only when it is part of the work whose hash is on the chain. What the uploader calls it is\n" +
			"used for the name in this folder, without anything that is more than a name; --output says another place. What a\n" +
			"stranger made can be harmful to open, whatever its name says.",
		Example: "  taskmarket files download 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 0198c1df-0c1d-7d7e-8a55-6d2f5f1b9a10\n" +
			"  taskmarket files download 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 0198c1df-0c1d-7d7e-8a55-6d2f5f1b9a10 --output work/photo.jpg",
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0], args[1]) },
	}
	c.Flags().StringVarP(&o.output, "output", "o", "", "where to put it: a file, a folder that is there, or - for standard output")
	c.Flags().BoolVar(&o.force, "force", false, "replace a file that is there")
	c.Flags().BoolVar(&o.unchecked, "unchecked", false, "take it although it is not known to be the work on the chain")
	return c
}

// downloaded is the file's record, and where its bytes are.
type downloaded struct {
	client.File
	Path string `json:"path"`
}

func (o *downloadOptions) run(ctx context.Context, taskArgument, fileArgument string) error {
	task, err := cli.ParseID("a task", taskArgument)
	if err != nil {
		return err
	}
	id, err := cli.ParseID("a file", fileArgument)
	if err != nil {
		return err
	}
	return o.WithAgent(func(agent *client.Client) error { return o.download(ctx, agent, task, id) })
}

func (o *downloadOptions) download(ctx context.Context, agent *client.Client, task, id uuid.UUID) error {
	file, err := taskFile(ctx, agent, task, id)
	if err != nil {
		return err
	}
	if !o.unchecked {
		if err := o.CheckFile(ctx, file); err != nil {
			return err
		}
	}
	if o.output == cli.Stdin {
		return o.toStdout(ctx, agent, file)
	}
	path := o.path(file)
	if err := o.toFile(ctx, agent, file, path); err != nil {
		return err
	}
	if o.JSON {
		return o.PrintJSON(downloaded{file, path})
	}
	return printFile(o.App, file, cli.Field{"Saved as", path})
}

// toStdout writes the bytes once all of them are there and right.
func (o *downloadOptions) toStdout(ctx context.Context, agent *client.Client, file client.File) error {
	switch {
	case o.JSON:
		return cli.UsageError("--json and the file's bytes cannot both be on standard output")
	case o.OutTerminal && !o.force:
		return cli.UsageError("a stranger's bytes can do harm on a terminal; --force shows them nevertheless")
	}
	var content bytes.Buffer
	if err := agent.Download(ctx, file, &content); err != nil {
		return err
	}
	_, err := content.WriteTo(o.RawOutput())
	return err
}

// path is where the file goes.
func (o *downloadOptions) path(file client.File) string {
	if o.output == "" {
		return safeName(file)
	}
	if info, err := os.Stat(o.output); err == nil && info.IsDir() {
		return filepath.Join(o.output, safeName(file))
	}
	return o.output
}

// toFile downloads beside the path and moves the file there when it is complete.
func (o *downloadOptions) toFile(ctx context.Context, agent *client.Client, file client.File, path string) error {
	if _, err := os.Lstat(path); err == nil && !o.force {
		return thereAlready(path)
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".taskmarket-*.part") // 0600
	if err != nil {
		return fmt.Errorf("make a file: %w", err)
	}
	defer os.Remove(part.Name())
	err = agent.Download(ctx, file, part)
	if err == nil {
		err = part.Sync()
	}
	if err := errors.Join(err, part.Close()); err != nil {
		return err
	}
	return o.place(part.Name(), path)
}

// place gives a complete file its name. Without force it takes no name that
// somebody else has taken meanwhile.
func (o *downloadOptions) place(part, path string) error {
	if o.force {
		return os.Rename(part, path)
	}
	err := os.Link(part, path)
	if errors.Is(err, fs.ErrExist) {
		return thereAlready(path)
	}
	if err == nil {
		return nil
	}
	// No links on this file system: hold the name with an empty file instead.
	held, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return thereAlready(path)
	case err != nil:
		return fmt.Errorf("make the file: %w", err)
	}
	return errors.Join(held.Close(), os.Rename(part, path))
}

func thereAlready(path string) error {
	return cli.Fail(cli.ExitFailed, "%s is there already; nothing was downloaded to it", path).WithHint("--force replaces it, --output says another place")
}

// longestName is how many characters of a name are kept, its ending included.
const longestName = 100

// safeName makes a name in a folder from what a stranger calls a file: letters,
// digits, dots, hyphens and underscores, with nothing that hides the file, reads
// as an option or names a device. A part of the file's id stands before it, so that
// no stranger chooses how a name begins.
func safeName(file client.File) string {
	name := strings.Map(func(r rune) rune {
		if r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".-_", r)) {
			return r
		}
		return '_'
	}, file.OriginalFilename)
	if len(name) > longestName {
		ending := filepath.Ext(name)
		if len(ending) > longestEnding {
			ending = ""
		}
		name = name[:longestName-len(ending)] + ending
	}
	return strings.TrimRight(shortID(file.ID)+"-"+name, ".-_")
}

// longestEnding is how long a name's ending can be to be kept.
const longestEnding = 10

// shortID is the random end of an id; its beginning is a time, which files that
// were uploaded together share.
func shortID(id uuid.UUID) string {
	text := id.String()
	return text[strings.LastIndexByte(text, '-')+1:]
}
