package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// Files returns one page of the files of a task that the agent may read.
func (c *Client) Files(ctx context.Context, task uuid.UUID, q PageQuery) (FilePage, error) {
	params := gen.ListTaskFilesParams{Page: given(q.Page), PageSize: given(q.PageSize), Cursor: given(q.Cursor)}
	page, err := answer[FilePage](c.api.ListTaskFilesWithResponse(ctx, task, &params))
	if err != nil {
		return page, fmt.Errorf("list files of task %s: %w", task, err)
	}
	return page, nil
}

// Download writes the file's bytes to w. An error means that w received
// something else or only a part: throw it away. The bytes are a stranger's;
// never open them by the type or name that the stranger gave.
func (c *Client) Download(ctx context.Context, file File, w io.Writer) error {
	resp, err := c.files.DownloadTaskFile(ctx, file.TaskID, file.ID)
	if err != nil {
		return fmt.Errorf("download file %s: %w", file.ID, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
		if err != nil {
			return fmt.Errorf("download file %s: %w", file.ID, err)
		}
		return fmt.Errorf("download file %s: %w", file.ID, refusal(resp, body))
	}
	sum := sha256.New()
	// One byte more than announced tells a longer file from the right one.
	size, err := io.Copy(io.MultiWriter(w, sum), io.LimitReader(resp.Body, file.Size+1))
	if err != nil {
		return fmt.Errorf("download file %s: %w", file.ID, err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); size != file.Size || got != file.Sha256 {
		return fmt.Errorf("download file %s: got other bytes than its record says (%d with SHA-256 %s)", file.ID, size, got)
	}
	return nil
}
