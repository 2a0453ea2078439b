package client

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"mime/multipart"
	"net/http"
	"path"
	"path/filepath"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// Files returns one page of the files of a task that the agent may read.
func (c *Client) Files(ctx context.Context, task uuid.UUID, q PageQuery) (FilePage, error) {
	var params gen.ListTaskFilesParams
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	page, err := answer[FilePage](c.api.ListTaskFilesWithResponse(ctx, task, &params))
	if err != nil {
		return page, fmt.Errorf("list files of task %s: %w", task, err)
	}
	return page, nil
}

// AllFiles goes through the pages of Files.
func (c *Client) AllFiles(ctx context.Context, task uuid.UUID, q PageQuery) iter.Seq2[File, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]File, *string, error) {
		page, err := c.Files(ctx, task, q)
		return page.Files, page.NextCursor, err
	})
}

// Download writes the file's bytes to w. An error means that w received
// something else or only a part: throw it away. The bytes are a stranger's;
// never open them by the type or name that the stranger gave.
func (c *Client) Download(ctx context.Context, file File, w io.Writer) error {
	if err := c.download(ctx, file, w); err != nil {
		return fmt.Errorf("download file %s: %w", file.ID, err)
	}
	return nil
}

func (c *Client) download(ctx context.Context, file File, w io.Writer) error {
	if file.FileSize > market.MaxFileSize {
		return fmt.Errorf("its record says %d bytes, more than the %d that a file can have", file.FileSize, market.MaxFileSize)
	}
	resp, err := c.files.DownloadTaskFile(ctx, file.TaskID, file.ID)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
		if err != nil {
			return unreachable(ctx, err)
		}
		return refusal(resp, body)
	}
	sum := sha256.New()
	// One byte more than announced tells a longer file from the right one.
	size, err := io.Copy(io.MultiWriter(w, sum), source{io.LimitReader(resp.Body, file.FileSize+1), ctx})
	if err != nil {
		return err
	}
	return same(file, size, sum)
}

// source is an answer's body, whose faults are the connection's and not those
// of where the bytes go.
type source struct {
	io.Reader
	ctx context.Context
}

func (s source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = unreachable(s.ctx, err)
	}
	return n, err
}

// Upload adds a file to the agent's task, for the assigned human to read: of at
// most 25 MiB, and 20 of them for a task. The name is what others see; folders
// in it are left out. The record it returns is of exactly the bytes that were
// read from content. After ErrUnavailable the file may be there nevertheless:
// Files tells.
func (c *Client) Upload(ctx context.Context, task uuid.UUID, name string, content io.Reader) (File, error) {
	file, err := c.upload(ctx, task, name, content)
	if err != nil {
		return file, fmt.Errorf("upload a file to task %s: %w", task, err)
	}
	return file, nil
}

func (c *Client) upload(ctx context.Context, task uuid.UUID, name string, content io.Reader) (File, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", path.Base(filepath.ToSlash(name)))
	if err != nil {
		return File{}, err
	}
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(part, sum), io.LimitReader(content, market.MaxFileSize+1))
	if err != nil {
		return File{}, err
	}
	if size > market.MaxFileSize {
		return File{}, fmt.Errorf("it is larger than %d bytes", market.MaxFileSize)
	}
	if err := form.Close(); err != nil {
		return File{}, err
	}
	file, err := created[File](c.uploads.UploadTaskFileWithBodyWithResponse(ctx, task, form.FormDataContentType(), bytes.NewReader(body.Bytes())))
	if err != nil {
		return File{}, err
	}
	return file, same(file, size, sum)
}

// same fails when these are not the bytes of the file's record.
func same(file File, size int64, sum hash.Hash) error {
	if got := hex.EncodeToString(sum.Sum(nil)); size != file.FileSize || got != file.Sha256 {
		return fmt.Errorf("its bytes are not what its record says: %d bytes with SHA-256 %s, not %d with %s", size, got, file.FileSize, file.Sha256)
	}
	return nil
}
