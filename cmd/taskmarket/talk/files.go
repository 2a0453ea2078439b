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

// filesCommand returns the parent command of the commands for a task's files.
func filesCommand(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "files",
		Short: "List, upload and download the files of a task",
		Long: "List, upload and download the files of a task: your files for the human, the submitted files, and the\n" +
			"human's evidence.",
	}
	c.AddCommand(filesListCommand(a), filesUploadCommand(a), filesDownloadCommand(a))
	return c
}

func filesListCommand(a *cli.App) *cobra.Command {
	return a.ListCommand("a task", &cobra.Command{
		Use:     "list TASK",
		Short:   "List the files of a task",
		Long:    "List the files of a task that you may read. Each file name was chosen by the uploader.",
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
		Short: "Upload a file for the human",
		Long: "Upload a file for the human who does your task. Each file can be up to 25 MiB, and you can upload up to 20 files\n" +
			"for each task. \"-\" reads standard input and requires --name.",
		Example: "  taskmarket files upload 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 map.pdf\n" +
			"  sort wishes.txt | taskmarket files upload 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 - --name wishes.txt",
		RunE: func(c *cobra.Command, args []string) error { return uploadFile(c.Context(), a, args[0], args[1], name) },
	}
	c.Flags().StringVar(&name, "name", "", "the name of the file (default: the name of PATH)")
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
			return cli.UsageError("standard input requires --name")
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

// openUpload opens the file to upload.
func openUpload(a *cli.App, path string) (io.ReadCloser, error) {
	if path == cli.Stdin {
		return io.NopCloser(a.In), nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, cli.UsageError("%w", err)
	case info.IsDir():
		return nil, cli.UsageError("%s is a directory", path)
	case info.Size() > market.MaxFileSize:
		return nil, cli.UsageError("%s is too large: %d bytes, but the limit is %d", path, info.Size(), market.MaxFileSize)
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

// taskFile finds a task's file by its id.
func taskFile(ctx context.Context, agent *client.Client, task, id uuid.UUID) (client.File, error) {
	for file, err := range agent.AllFiles(ctx, task, client.PageQuery{}) {
		if err != nil || file.ID == id {
			return file, err
		}
	}
	return client.File{}, cli.Fail(cli.ExitRefused, "task %s has no file %s, or you may not read it", task, id).
		WithHint(fmt.Sprintf("`taskmarket files list %s` lists the files", task))
}
