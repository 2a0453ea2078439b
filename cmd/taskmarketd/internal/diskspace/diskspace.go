// Package diskspace reads the free space of file systems.
package diskspace

import (
	"errors"
	"net/url"
	"path/filepath"
)

// ErrUnknown is returned on operating systems on which the free space cannot be read.
var ErrUnknown = errors.New("the free disk space cannot be read on this operating system")

// FolderOf returns the folder of a blob store's URL. It returns "" for a store without one, such as
// a bucket on S3.
func FolderOf(blobURL string) string {
	u, err := url.Parse(blobURL)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	return filepath.FromSlash(u.Path)
}
