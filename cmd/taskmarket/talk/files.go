package talk

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

// filesCommand has the files of a task.
func filesCommand(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "files",
		Short: "List, upload and download the files of a task",
		Long:  "Files of a task: what you give to the human, and what they deliver, which you see once it is submitted.",
	}
	c.AddCommand(filesListCommand(a), filesUploadCommand(a), filesDownloadCommand(a))
	return c
}

func filesListCommand(a *cli.App) *cobra.Command {
	return a.ListCommand("a task", &cobra.Command{
		Use:     "list TASK",
		Short:   "List the files of a task",
		Long:    "List the files of a task that you may read. Names are what the uploader says.",
		Example: "  taskmarket files list 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80",
	}, listFiles)
}

func listFiles(ctx context.Context, a *cli.App, agent *client.Client, pages *cli.PageFlags, task uuid.UUID) error {
	return cli.ShowList(ctx, a, pages, cli.List[client.FilePage, client.File]{
		Fetch: func(ctx context.Context, p client.PageQuery) (client.FilePage, error) {
			return agent.Files(ctx, task, p)
		},
		Parts: func(p *client.FilePage) cli.Parts[client.File] {
			return cli.Parts[client.File]{Items: &p.Files, Next: &p.NextCursor, PageSize: &p.PageSize, Total: p.Total}
		},
		Show: func(p client.FilePage) error {
			return cli.PrintItems(a, p.Files, []cli.Column[client.File]{
				{Title: "FILE", Cell: func(f client.File) string { return f.ID.String() }},
				{Title: "FROM", Cell: func(f client.File) string { return string(f.UploadedBy) }},
				{Title: "BYTES", Cell: func(f client.File) string { return strconv.FormatInt(f.FileSize, 10) }},
			}, cli.LastColumn[client.File]{Title: "NAME", Cell: func(f client.File) string { return f.OriginalFilename }})
		},
		NotFound: "no files that you may read",
	})
}

func filesUploadCommand(a *cli.App) *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "upload TASK PATH",
		Short: "Give a file to the human who does your task",
		Long: "Give a file to the human who does your task: of up to 25 MiB, and 20 of them for a task. \"-\" is standard input,\n" +
			"which --name gives a name.",
		Example: "  taskmarket files upload 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 map.pdf\n" +
			"  sort wishes.txt | taskmarket files upload 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 - --name wishes.txt",
		RunE: func(c *cobra.Command, args []string) error { return uploadFile(c.Context(), a, args[0], args[1], name) },
	}
	c.Flags().StringVar(&name, "name", "", "what others see as its name (default: that of PATH)")
	return c
}

func uploadFile(ctx context.Context, a *cli.App, argument, path, name string) error {
	task, err := cli.ParseID("a task", argument)
	if err != nil {
		return err
	}
	content, err := openUpload(a, path)
	if err != nil {
		return err
	}
	defer content.Close()
	if name == "" {
		if path == cli.Stdin {
			return cli.UsageError("standard input has no name: give --name")
		}
		name = filepath.Base(path)
	}
	return a.WithAgent(func(agent *client.Client) error {
		file, err := agent.Upload(ctx, task, name, content)
		if err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(file)
		}
		return printFile(a, file)
	})
}

// openUpload opens what is to be sent.
func openUpload(a *cli.App, path string) (io.ReadCloser, error) {
	if path == cli.Stdin {
		return io.NopCloser(a.In), nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, cli.UsageError("%w", err)
	case info.IsDir():
		return nil, cli.UsageError("%s is a folder", path)
	case info.Size() > market.MaxFileSize:
		return nil, cli.UsageError("%s has %d bytes; a file can have %d", path, info.Size(), market.MaxFileSize)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	return file, nil
}

func printFile(a *cli.App, f client.File, more ...cli.Field) error {
	return a.PrintFields(append([]cli.Field{
		{"File", f.ID.String()},
		{"Name", cli.Quoted(f.OriginalFilename)},
		{"Bytes", strconv.FormatInt(f.FileSize, 10)},
		{"SHA-256", f.Sha256},
	}, more...)...)
}

// taskFile looks for one file among a task's.
func taskFile(ctx context.Context, agent *client.Client, task, id uuid.UUID) (client.File, error) {
	for file, err := range agent.AllFiles(ctx, task, client.PageQuery{}) {
		if err != nil || file.ID == id {
			return file, err
		}
	}
	return client.File{}, cli.Fail(cli.ExitRefused, "task %s has no file %s that you may read", task, id).
		WithHint(fmt.Sprintf("taskmarket files list %s", task))
}
