package server

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/content"
	"taskmarket/server/gate"
)

const (
	maxContentType = 200
	diskRetry      = 10 * time.Minute // Retry-After while the disk space is low
	scanRetry      = 30 * time.Second // Retry-After while the scanner fails
)

// filesHandler handles the operations with the tag "files".
type filesHandler struct {
	*taskAccess

	blobs   *blob.Bucket
	diskLow func() bool
	uploads *uploads
	scanner content.Scanner // nil if files are not scanned
	log     *slog.Logger
}

// taskWithFiles returns a task if the caller is allowed to access its files.
func (h *filesHandler) taskWithFiles(ctx context.Context, id uuid.UUID) (market.Task, error) {
	task, role, err := h.taskFor(ctx, id)
	if err == nil && !sees(task, role) {
		err = market.Errorf(market.KindForbidden, "only the parties of this task, and its validators once work is submitted, can access its files")
	}
	return task, err
}

// ListTaskFiles returns the files of a task that the caller may read.
func (h *filesHandler) ListTaskFiles(ctx context.Context, request api.ListTaskFilesRequestObject) (api.ListTaskFilesResponseObject, error) {
	task, err := h.taskWithFiles(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	files, err := h.store.Files(ctx, task.ID, gate.PrincipalOf(ctx))
	if err != nil {
		return nil, err
	}
	part, err := pageOf(files, request.Params.Page, request.Params.PageSize, request.Params.Cursor)
	if err != nil {
		return nil, err
	}
	return api.ListTaskFiles200JSONResponse{Body: api.FilePage{
		Files: mapAll(part.items, toAPIFile),
		Total: int64(len(files)), Page: part.page, PageSize: part.size, NextCursor: part.next,
	}}, nil
}

func toAPIFile(f market.File) api.TaskFile {
	return api.TaskFile{
		ID: f.ID, TaskID: f.TaskID, OriginalFilename: f.Filename, Filename: f.Filename, ContentType: f.ContentType, FileSize: f.Size,
		Sha256: fmt.Sprintf("%x", f.SHA256), UploadedBy: api.Party(f.UploaderKind),
		Submitted: f.Submitted, Shared: f.Shared, UploadedAt: market.TimeOf(f.CreatedAt),
	}
}

// UploadTaskFile stores a file for a task. It writes the blob before the record, so that every
// record has a blob.
func (h *filesHandler) UploadTaskFile(ctx context.Context, request api.UploadTaskFileRequestObject) (api.UploadTaskFileResponseObject, error) {
	task, role, err := h.taskFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if err := h.permits(ctx, task, market.ActionUploadFile, role); err != nil {
		return nil, err
	}
	if err := h.checkSpace(); err != nil {
		return nil, err
	}
	principal := gate.PrincipalOf(ctx)
	upload, err := h.uploads.enter(principal.ID, func() { gate.EndBody(ctx) })
	if err != nil {
		return nil, err
	}
	defer h.uploads.leave(upload)
	if err := h.store.CheckUpload(ctx, task.ID, principal.ID); err != nil {
		return nil, err
	}
	file, err := h.receive(ctx, request.Body)
	if evicted := h.uploads.finishBody(upload); evicted != nil {
		if err == nil {
			h.discard(ctx, file.ID)
		}
		return nil, evicted
	}
	if err != nil {
		return nil, err
	}
	if err := h.scan(ctx, file.ID); err != nil {
		h.discard(ctx, file.ID)
		return nil, err
	}
	file.TaskID, file.UploaderKind, file.UploaderID = task.ID, principal.Kind, principal.ID
	if err := h.store.AddFile(ctx, file); err != nil {
		if gate.BlamesCaller(err) {
			h.discard(ctx, file.ID)
		} // After any other error the COMMIT may have succeeded. If not, SweepFiles deletes the blob.
		return nil, err
	}
	stored, err := h.store.File(ctx, task.ID, file.ID, principal)
	if err != nil {
		return nil, err
	}
	h.screenText(ctx, writing{
		subject: market.Subject{Kind: market.SubjectFile, ID: stored.ID}, record: stored.ID, title: "name of a file", texts: []string{stored.Filename},
	})
	return api.UploadTaskFile201JSONResponse{Body: toAPIFile(stored)}, nil
}

// checkSpace returns KindStorageUnavailable while the disk space is low.
func (h *filesHandler) checkSpace() error {
	if !h.diskLow() {
		return nil
	}
	return &market.Error{
		Kind: market.KindStorageUnavailable, Message: "files cannot be uploaded at the moment, because disk space is low",
		Hint: "share a link, or upload the file later", RetryAfter: diskRetry,
	}
}

// receive streams the form's only part into the blob store.
func (h *filesHandler) receive(ctx context.Context, form *multipart.Reader) (market.File, error) {
	part, err := form.NextPart()
	if err != nil {
		return market.File{}, brokenForm(err)
	}
	if part.FormName() != "file" || part.FileName() == "" {
		return market.File{}, market.Invalid("file", "required", `the form must have exactly one part, named "file", with a filename`)
	}
	body := bufio.NewReaderSize(part, content.HeadSize)
	head, err := body.Peek(content.HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return market.File{}, brokenForm(err)
	}
	if len(head) == 0 {
		return market.File{}, market.Invalid("file", "empty", "the file is empty; choose a file with content")
	}
	id, err := uuid.NewV7()
	if err != nil {
		return market.File{}, err
	}
	file := market.File{ID: id, Filename: cleanFilename(part.FileName())}
	if file.ContentType, err = content.TypeOf(file.Filename, declaredType(part), head); err != nil {
		return market.File{}, err
	}
	if file.Size, file.SHA256, err = h.writeBlob(ctx, id, body); err != nil {
		return market.File{}, err
	}
	if _, err := form.NextPart(); !errors.Is(err, io.EOF) {
		h.discard(ctx, id)
		if err == nil {
			return market.File{}, market.Invalid("file", "repeated", "the form must have exactly one part")
		}
		return market.File{}, brokenForm(err)
	}
	return file, nil
}

// scan returns KindInvalid if the blob contains malware, and KindStorageUnavailable if the configured
// scanner did not check it. The blob is scanned after its upload, so that slow uploads do not occupy the
// scanner.
func (h *filesHandler) scan(ctx context.Context, id uuid.UUID) error {
	if h.scanner == nil {
		return nil
	}
	reader, err := h.blobs.NewReader(ctx, id.String(), nil)
	if err != nil {
		return storageUnavailable("open blob", id, err)
	}
	defer reader.Close()
	switch found, err := h.scanner.Scan(ctx, reader); {
	case err != nil:
		return &market.Error{
			Kind: market.KindStorageUnavailable, Message: "files cannot be checked for malware at the moment",
			Hint: "try again later", RetryAfter: scanRetry, Cause: fmt.Errorf("scan blob %s: %w", id, err),
		}
	case found:
		return market.Invalid("file", "malware", "contains malware, according to the scanner of this service")
	}
	return nil
}

// brokenForm returns the error for a failed read of the form: err itself if it already has a message for
// clients, for example because the form is too large, and KindInvalid otherwise.
func brokenForm(err error) error {
	if gate.RefusalOf(err) != nil {
		return err
	}
	return market.Invalid("body", "form", "is not a complete multipart form").WithCause(err)
}

// writeBlob writes a blob and returns its size and hash. It leaves no blob behind when it fails. It returns
// KindTooLarge or KindInvalid for errors in the form part, and KindStorageUnavailable if the blob store fails
// or the disk space becomes low.
func (h *filesHandler) writeBlob(ctx context.Context, id uuid.UUID, part io.Reader) (int64, common.Hash, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // cancelling before Close aborts the write
	writer, err := h.blobs.NewWriter(ctx, id.String(), &blob.WriterOptions{ContentType: "application/octet-stream"})
	if err != nil {
		return 0, common.Hash{}, storageUnavailable("open blob", id, err)
	}
	hash, source := sha256.New(), &partReader{part: part, check: h.checkSpace}
	size, err := io.Copy(io.MultiWriter(writer, hash), io.LimitReader(source, market.MaxFileSize+1))
	switch {
	case source.err != nil:
		err = brokenForm(source.err)
	case err != nil:
		err = storageUnavailable("write blob", id, err)
	case size > market.MaxFileSize:
		err = &market.Error{Kind: market.KindTooLarge, Message: fmt.Sprintf("the file is larger than %d bytes", market.MaxFileSize)}
	}
	if err != nil {
		cancel()
		_ = writer.Close() // Close returns the cancellation error
		return 0, common.Hash{}, err
	}
	if err := writer.Close(); err != nil {
		return 0, common.Hash{}, storageUnavailable("complete blob", id, err)
	}
	return size, common.Hash(hash.Sum(nil)), nil
}

// checkedBytes is the number of bytes of an upload after which the free disk space is checked again. Without
// this check, uploads that began before space ran low could still fill the disk.
const checkedBytes = 1 << 20

// partReader calls check every checkedBytes bytes. It records the errors of check and of reading the client's
// body, because io.Copy does not distinguish them from write errors.
type partReader struct {
	part  io.Reader
	check func() error
	read  int // bytes since the last check
	err   error
}

// Read implements io.Reader.
func (r *partReader) Read(p []byte) (int, error) {
	if r.read >= checkedBytes {
		r.read = 0
		if r.err = r.check(); r.err != nil {
			return 0, r.err
		}
	}
	n, err := r.part.Read(p)
	r.read += n
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// storageUnavailable returns the error for a blob store that cannot be used at the moment, for
// example because of a full disk.
func storageUnavailable(what string, id uuid.UUID, cause error) error {
	return &market.Error{
		Kind: market.KindStorageUnavailable, Message: "files cannot be stored or read at the moment",
		Hint: "try again later", Cause: fmt.Errorf("%s %s: %w", what, id, cause),
	}
}

// discard deletes a blob without a record.
func (h *filesHandler) discard(ctx context.Context, id uuid.UUID) {
	if err := h.blobs.Delete(context.WithoutCancel(ctx), id.String()); err != nil {
		h.log.WarnContext(ctx, "deleting an unused blob failed; the sweep will delete it", slog.String("blob", id.String()), slog.Any("err", err))
	}
}

// declaredType returns the type that the uploader declared. It is only displayed, never used to
// serve the file.
func declaredType(part *multipart.Part) string {
	kind, _, err := mime.ParseMediaType(part.Header.Get("Content-Type"))
	if err != nil || len(kind) > maxContentType {
		return content.Unknown
	}
	return kind
}

// DownloadTaskFile serves a file as an attachment, so that browsers never render it.
func (h *filesHandler) DownloadTaskFile(ctx context.Context, request api.DownloadTaskFileRequestObject) (api.DownloadTaskFileResponseObject, error) {
	task, err := h.taskWithFiles(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	file, err := h.store.File(ctx, task.ID, request.FileID, gate.PrincipalOf(ctx))
	if err != nil {
		return nil, err
	}
	reader, err := h.blobs.NewReader(ctx, file.ID.String(), nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		h.log.ErrorContext(ctx, "the content of a file is missing from storage", slog.String("file", file.ID.String()))
		return nil, market.Errorf(market.KindNotFound, "the content of this file is missing from storage").
			WithHint("ask the uploader for the file, and report the loss to the operator of this service")
	}
	if err != nil {
		return nil, storageUnavailable("open blob", file.ID, err)
	}
	return api.DownloadTaskFile200ApplicationOctetStreamResponse{
		Body: reader, ContentLength: reader.Size(),
		Headers: api.DownloadTaskFile200ResponseHeaders{
			CacheControl: "private, no-store", ContentDisposition: content.Disposition(file.Filename),
			ContentSecurityPolicy: "sandbox", XContentTypeOptions: "nosniff",
		},
	}, nil
}

// maxEnding is the largest number of characters of the ending of a file name.
const maxEnding = 20

// endingOf returns the ending of a file name, as in .jpg and .tar.gz, or "" if it is too long to be one.
func endingOf(name string) string {
	ending := path.Ext(name)
	if path.Ext(strings.TrimSuffix(name, ending)) == ".tar" {
		ending = ".tar" + ending
	}
	if utf8.RuneCountInString(ending) > maxEnding {
		return ""
	}
	return ending
}

// formEscapes are the characters of file names that browsers escape in forms (multipart/form-data in the HTML
// standard). They escape no others, so that the rest of the name must not be decoded.
var formEscapes = strings.NewReplacer("%22", `"`, "%0D", "\r", "%0A", "\n")

// cleanFilename makes a display name from the uploader's file name. It removes folders, and the hidden
// characters that no script needs. A name that is too long keeps its ending. The result is never used as a path.
func cleanFilename(name string) string {
	name = formEscapes.Replace(name)
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = market.WithoutHidden(strings.Map(func(r rune) rune {
		if market.UnsafeInLine(r) {
			return -1
		}
		return r
	}, name))
	name = strings.Trim(name, " ")
	if runes := []rune(name); len(runes) > market.MaxFilename {
		ending := endingOf(name)
		name = strings.TrimRight(string(runes[:market.MaxFilename-utf8.RuneCountInString(ending)]), " ") + ending
	}
	if name == "" || name == "." || name == ".." || name == "/" {
		return "file"
	}
	return name
}
