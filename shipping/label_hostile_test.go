package shipping

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// Fifty labels of a few bytes and many elements take no gigabyte.
func TestLabelsOfManyElementsAreBounded(t *testing.T) {
	one := bytes.Replace(document(t, "label_request"), []byte(`"documents": []`), []byte(`"documents": [`+strings.Repeat("{},", 18_000)+`{}]`), 1)
	var told []error
	h := &LabelHandler{
		Access: Access{Guarded: true}, OnFailure: func(_ context.Context, f *Failure) { told = append(told, f) },
		Generate: func(_ context.Context, labels []Label) ([]LabelFailure, error) {
			t.Errorf("%d labels, want that none is read", len(labels))
			return nil, nil
		},
	}
	body := []byte("[" + strings.TrimSuffix(strings.Repeat(string(one)+",", MaxLabels), ",") + "]")
	var code int
	spent := hostile.Cost(func() { code = postTo(h, "/labels/generate", body).Code })
	t.Logf("%d bytes: %v", len(body), spent)
	if code != http.StatusBadRequest || spent.Bytes > 32<<20 || len(told) != 1 || !errors.Is(told[0], ErrMalformed) {
		t.Errorf("status %d with %v, told %v; want 400, 32 MiB at most, and ErrMalformed", code, spent, told)
	}
}

// An id of another form is not bent into one that nobody asked about.
func TestIDsOfLabelsAreStrict(t *testing.T) {
	for _, id := range []string{`"../../../../etc/passwd/../"`, `"01JEXAMP1E0000000000000A?1"`, `"01JEXAMP1E0000000000000AB12"`, `"81JEXAMP1E0000000000000AB1"`, `""`, `1`, `{}`, `null`} {
		h := &LabelHandler{
			Access: Access{Guarded: true}, OnFailure: func(context.Context, *Failure) {},
			Generate: func(_ context.Context, labels []Label) ([]LabelFailure, error) {
				t.Errorf("%s: read as %s", id, labels[0].ID)
				return nil, nil
			},
			Cancel: func(_ context.Context, labels []LabelRef) ([]LabelFailure, error) {
				t.Errorf("%s: read as %s", id, labels[0].LabelID)
				return nil, nil
			},
		}
		for path, body := range map[string][]byte{
			"/generate": slices.Concat([]byte("["), bytes.Replace(document(t, "label_request"), fmt.Appendf(nil, "%q", firstLabel), []byte(id), 1), []byte("]")),
			"/cancel":   bytes.Replace(refs(firstLabel), fmt.Appendf(nil, "%q", firstLabel), []byte(id), -1),
		} {
			if w := postTo(h, path, body); w.Code != http.StatusBadRequest || strings.Contains(w.Body.String(), "7ZZZ") {
				t.Errorf("%s of %s: status %d, %s; want 400", path, id, w.Code, w.Body)
			}
		}
	}
}
