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
		Long: "Download a file of a task. It is saved only if it matches its recorded hash, and only you can read the saved file.\n" +
			"A file from the human must also be evidence, or part of the submission whose hash is on the chain; otherwise the\n" +
			"command fails. If no node is configured, or neither wallet_address nor private_key, this is not checked, and a\n" +
			"warning is printed. The default name is the end of the file's id and the uploader's name for the file; --output\n" +
			"chooses another. Files from other people can be harmful to open.",
		Example: "  taskmarket files download 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 0198c1df-0c1d-7d7e-8a55-6d2f5f1b9a10\n" +
			"  taskmarket files download 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 0198c1df-0c1d-7d7e-8a55-6d2f5f1b9a10 --output work/photo.jpg",
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0], args[1]) },
	}
	c.Flags().StringVarP(&o.output, "output", "o", "", "the destination: a file, an existing directory, or - for standard output")
	c.Flags().BoolVar(&o.force, "force", false, "replace an existing file")
	c.Flags().BoolVar(&o.unchecked, "unchecked", false, "skip the comparison with the hash on the chain")
	return c
}

// downloaded is the API's record of the file with the path of the downloaded content.
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

// toStdout writes the content to stdout, but only after it has been downloaded and verified
// completely.
func (o *downloadOptions) toStdout(ctx context.Context, agent *client.Client, file client.File) error {
	switch {
	case o.JSON:
		return cli.UsageError("--json cannot be combined with --output -")
	case o.OutTerminal && !o.force:
		return cli.UsageError("standard output is a terminal, and the file could contain control sequences; --force prints it anyway")
	}
	var content bytes.Buffer
	if err := agent.Download(ctx, file, &content); err != nil {
		return err
	}
	_, err := content.WriteTo(o.RawOutput())
	return err
}

// path returns the destination path for the file.
func (o *downloadOptions) path(file client.File) string {
	if o.output == "" {
		return safeName(file)
	}
	if info, err := os.Stat(o.output); err == nil && info.IsDir() {
		return filepath.Join(o.output, safeName(file))
	}
	return o.output
}

// toFile downloads the content to a temporary file in the destination's directory and renames the
// file when it is complete.
func (o *downloadOptions) toFile(ctx context.Context, agent *client.Client, file client.File, path string) error {
	if _, err := os.Lstat(path); err == nil && !o.force {
		return fileExists(path)
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".taskmarket-*.part") // CreateTemp uses mode 0600
	if err != nil {
		return fmt.Errorf("create a file: %w", err)
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

// place renames a complete file to its destination. Unless --force is set, it does not replace a
// file that another process created at the destination during the download.
func (o *downloadOptions) place(part, path string) error {
	if o.force {
		return os.Rename(part, path)
	}
	err := os.Link(part, path)
	if errors.Is(err, fs.ErrExist) {
		return fileExists(path)
	}
	if err == nil {
		return nil
	}
	// The file system does not support hard links: reserve the name with an empty file instead.
	reserved, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fileExists(path)
	case err != nil:
		return fmt.Errorf("create the file: %w", err)
	}
	return errors.Join(reserved.Close(), os.Rename(part, path))
}

func fileExists(path string) error {
	return cli.Fail(cli.ExitFailed, "%s already exists", path).WithHint("--force replaces it; --output chooses another name")
}

// longestName is the maximum length of a file name in characters, including the extension.
const longestName = 100

// safeName derives a file name from the name that the uploader chose. The result contains only
// letters, digits, dots, hyphens and underscores. It starts with part of the file's id, so that the
// uploader does not control the beginning: the file cannot be hidden, look like an option or have
// the name of a device.
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

// longestEnding is the maximum length of a file name extension.
const longestEnding = 10

// shortID returns the end of an id, which is random. The beginning is a timestamp and therefore the
// same for files that were uploaded together.
func shortID(id uuid.UUID) string {
	text := id.String()
	return text[strings.LastIndexByte(text, '-')+1:]
}
