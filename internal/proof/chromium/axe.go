package chromium

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/proof/aptget"
)

// The version of axe-core, the file of its package that is used, and the SHA-256 of that file.
const (
	axeVersion = "4.14.1"
	axeFile    = "package/axe.min.js"
	axeSum     = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
	mostAxe    = 4 << 20
)

var errOther = errors.New("the script is not the one that was expected: its SHA-256 differs")

// Axe returns the script of axe-core. It is downloaded with npm if it is not in the user's directory of caches.
func Axe(ctx context.Context) (script string, err error) {
	path := axePath()
	if kept, err := os.ReadFile(path); err == nil && checkAxe(kept) == nil {
		return string(kept), nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", fmt.Errorf("chromium: axe-core: %w", err)
	}
	fresh, err := downloadAxe(ctx, filepath.Dir(path))
	if err != nil {
		return "", fmt.Errorf("chromium: axe-core %s is needed and could not be downloaded with npm: install npm, or put "+
			"axe.min.js of this version at %s: %w", axeVersion, path, err)
	}
	return string(fresh), write(path, fresh)
}

// axePath is where the script is cached.
func axePath() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir() // a user without a home
	}
	return filepath.Join(dir, "commerce-go", "axe-core-"+axeVersion+".min.js")
}

func checkAxe(script []byte) error {
	if sum := sha256.Sum256(script); hex.EncodeToString(sum[:]) != axeSum {
		return errOther
	}
	return nil
}

// downloadAxe downloads the package into a directory below dir, which it removes.
func downloadAxe(ctx context.Context, dir string) ([]byte, error) {
	dir, err := os.MkdirTemp(dir, "axe-core-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	npm, err := exec.LookPath("npm")
	if err != nil {
		if err := aptget.Install(ctx, "npm"); err != nil {
			return nil, err
		}
		npm = "npm"
	}
	pack := exec.CommandContext(ctx, npm, "pack", "--silent", "--ignore-scripts", "axe-core@"+axeVersion)
	pack.Dir = dir
	if out, err := pack.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm pack: %w: %s", err, strings.TrimSpace(string(out[:min(len(out), 1000)])))
	}
	packed, err := os.Open(filepath.Join(dir, "axe-core-"+axeVersion+".tgz"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = packed.Close() }()
	script, err := unpack(packed)
	if err != nil {
		return nil, err
	}
	return script, checkAxe(script)
}

// unpack returns the script in a package of npm.
func unpack(packed io.Reader) ([]byte, error) {
	unzipped, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	for files := tar.NewReader(unzipped); ; {
		file, err := files.Next()
		if err != nil {
			return nil, fmt.Errorf("%s in the package: %w", axeFile, err)
		}
		if file.Name == axeFile {
			return io.ReadAll(io.LimitReader(files, mostAxe))
		}
	}
}

// write writes a file that other processes may read or write at the same time.
func write(path string, data []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), "axe-core-*")
	if err != nil {
		return fmt.Errorf("chromium: %w", err)
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
		return fmt.Errorf("chromium: %w", err)
	}
	return nil
}
