package client

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The path of a file on the machine of the app went to the platform, which builds the address of the image of it.
func TestImageFilesAreSentWithoutTheirPath(t *testing.T) {
	for _, test := range []struct{ filename, want string }{
		{"a.png", "a.png"},
		{"/home/me/secret/a.png", "a.png"},
		{"../../a.png", "a.png"},
		{`C:\Users\me\a.png`, "a.png"},
		{`C:a.png`, "a.png"},
		{`\\server\share\a.png`, "a.png"},
		{`C:\mixed/and\a.b.png`, "a.b.png"},
		{"a.png/", "a.png"},
		{`a.png\`, "a.png"},
		{"file:///home/me/Taza azul.PNG", "Taza azul.PNG"},
		{"", ""},
		{".", ""},
		{"..", ""},
		{"/", ""},
		{`C:\`, ""},
		{"/home/me/", ""},
		{"/home/me/.png", ""},
		{"/home/me/png", ""},
	} {
		in, err := ImageFrom(bytes.NewReader(png), test.filename)
		if test.want == "" {
			if !errors.Is(err, ErrValidation) || !strings.HasPrefix(err.Error(), "filename: ") || strings.Contains(err.Error(), "home") {
				t.Errorf("%s: got %v, want the name refused, without the path", test.filename, err)
			}
			v, seen := answering(t, VersionV1, `{"id":8}`)
			_, err := (*ImageService)(v).Update(t.Context(), 7, 8, ImageInput{Attachment: png, Filename: test.filename})
			if refused := errors.Is(err, ErrValidation); refused != (test.filename != "") || len(*seen) > 0 == refused {
				t.Errorf("%s to update: got %v after %v", test.filename, err, *seen)
			}
			continue
		}
		if err != nil || in.Filename != test.want {
			t.Errorf("%s: got %q, %v, want %q", test.filename, in.Filename, err, test.want)
		}
		for _, call := range []func(*ImageService, ImageInput) error{
			func(s *ImageService, in ImageInput) error { _, err := s.Create(t.Context(), 7, in); return err },
			func(s *ImageService, in ImageInput) error { _, err := s.Update(t.Context(), 7, 8, in); return err },
		} {
			v, seen := answering(t, VersionV1, `{"id":8}`)
			if err := call((*ImageService)(v), ImageInput{Attachment: png, Filename: test.filename}); err != nil {
				t.Errorf("%s: %v", test.filename, err)
			}
			if len(*seen) != 1 || !strings.Contains((*seen)[0].body, `"filename":"`+test.want+`"`) {
				t.Errorf("%s: sent %v, want %q", test.filename, *seen, test.want)
			}
		}
	}
}

func TestImageFromAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Taza.png")
	if err := os.WriteFile(path, png, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	in, err := ImageFrom(f, f.Name())
	if err != nil || in.Filename != "Taza.png" || !bytes.Equal(in.Attachment, png) {
		t.Errorf("got %q, %v", in.Filename, err)
	}
	if in, err := ImageFrom(f, path); in.Filename != "Taza.png" || !errors.Is(err, ErrValidation) || strings.Contains(err.Error(), filepath.Dir(path)) {
		t.Errorf("at the end of the file: got %q, %v; want it refused without its path", in.Filename, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ImageFrom(f, path); !errors.Is(err, os.ErrClosed) {
		t.Errorf("closed: got %v, want %v", err, os.ErrClosed)
	}
}
