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

// Files returns one page of the task's files that the agent is allowed to read.
func (c *Client) Files(ctx context.Context, task uuid.UUID, q PageQuery) (_ FilePage, err error) {
	defer wrap(&err, "list files of task %s", task)
	var params gen.ListTaskFilesParams
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	return resultOf[FilePage](c.api.ListTaskFilesWithResponse(ctx, task, &params))
}

// AllFiles iterates over all pages of Files.
func (c *Client) AllFiles(ctx context.Context, task uuid.UUID, q PageQuery) iter.Seq2[File, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]File, *string, error) {
		page, err := c.Files(ctx, task, q)
		return page.Files, page.NextCursor, err
	})
}

// Download writes the file's content to w. If it returns an error, w may have received wrong or
// incomplete data, which must be discarded. The content is untrusted: do not open it based on the
// type or the name in the record.
func (c *Client) Download(ctx context.Context, file File, w io.Writer) error {
	if err := c.download(ctx, file, w); err != nil {
		return fmt.Errorf("download file %s: %w", file.ID, err)
	}
	return nil
}

func (c *Client) download(ctx context.Context, file File, w io.Writer) error {
	if file.FileSize > market.MaxFileSize {
		return fmt.Errorf("its record states a size of %d bytes, but the limit is %d", file.FileSize, market.MaxFileSize)
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
	// Reading one byte more than the record's size detects a longer file.
	size, err := io.Copy(io.MultiWriter(w, sum), source{io.LimitReader(resp.Body, file.FileSize+1), ctx})
	if err != nil {
		return err
	}
	return same(file, size, sum)
}

// source wraps a response body. It converts read errors to connection errors, so that Download can
// distinguish them from write errors.
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

// Upload adds a file to the agent's task, for the assigned human to read. A file can be up to 25
// MiB, and the agent can add up to 20 files to a task. If name is a path, only its last element is
// used. The size and SHA-256 in the returned record match the bytes that were read from content.
// After ErrUnavailable, the file may have been stored nevertheless: check Files.
func (c *Client) Upload(ctx context.Context, task uuid.UUID, name string, content io.Reader) (_ File, err error) {
	defer wrap(&err, "upload a file to task %s", task)
	return c.upload(ctx, task, name, content)
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
		return File{}, fmt.Errorf("the file is larger than %d bytes", market.MaxFileSize)
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

// same returns an error unless the size and the SHA-256 match the file's record.
func same(file File, size int64, sum hash.Hash) error {
	if got := hex.EncodeToString(sum.Sum(nil)); size != file.FileSize || got != file.Sha256 {
		return fmt.Errorf("its content does not match its record: it has %d bytes and the SHA-256 %s, but the record has %d bytes and %s", size, got, file.FileSize, file.Sha256)
	}
	return nil
}
