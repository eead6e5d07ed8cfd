package res

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// The contract's texts for what several operations refuse.
const (
	cannotBeBlank = "can't be blank"
	noSuchProduct = "Product with such id does not exist"
)

// alreadyTaken is assumed, for whatever has to be unique.
const alreadyTaken = "has already been taken"

// unprocessable are the cases of 422 with the texts.
func unprocessable(texts ...string) []api.ErrCase {
	return refusals(http.StatusUnprocessableEntity, texts)
}

func refusals(status int, texts []string) []api.ErrCase {
	return each(texts, func(text string) api.ErrCase { return api.ErrCase{Status: status, Text: text} })
}

// stated is 422 in the common shape with a text of the contract as description,
// and the same text under the field it is about.
func stated(field, text string) *api.Error {
	return api.Unprocessable(text).With(field, []string{text})
}

// problems collects what is wrong with the fields of a body. The answer is
// "Validation error" with a list of messages per field.
type problems map[string][]string

func (p problems) add(field, format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(p[field], text) {
		p[field] = append(p[field], text)
	}
}

// err is nil if nothing is wrong.
func (p problems) err() error { return p.errBy(http.StatusUnprocessableEntity) }

// errBy is err with the status.
func (p problems) errBy(status int) error {
	if len(p) == 0 {
		return nil
	}
	return api.ValidationBy(status, p)
}

// elements reads the elements of a member that is an array of objects, noting
// those of their members that nothing reads.
func elements[T any](in *api.In, member string, raws []json.RawMessage) ([]T, error) {
	out := make([]T, len(raws))
	for i, raw := range raws {
		unread, err := api.Decode(raw, &out[i])
		markWithin(in, member, unread)
		if e, ok := errors.AsType[*api.Error](err); ok && e.Status == http.StatusBadRequest {
			return nil, api.Invalid(member, "is invalid")
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// markWithin notes members of a member that nothing reads.
func markWithin(in *api.In, member string, unread []string) {
	for _, name := range unread {
		in.MarkUnread(member + "." + name)
	}
}
