package console

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
)

// fill puts the fields of kind path into the path of a call.
func fill(path string, sent url.Values) (string, error) {
	for name := range sent {
		if field, ok := strings.CutPrefix(name, "path:"); ok {
			if sent.Get(name) == "" {
				return "", fmt.Errorf("%s: must not be empty", field)
			}
			path = strings.ReplaceAll(path, "{"+field+"}", escape(sent.Get(name)))
		}
	}
	return path, nil
}

// bodyOf makes the body of a call of the fields of a form. A field is named kind:member. Empty fields are left out.
func bodyOf(sent url.Values) ([]byte, error) {
	body := map[string]any{}
	for name := range sent {
		kind, member, ok := strings.Cut(name, ":")
		if !ok || kind == "path" {
			continue
		}
		typed := sent.Get(name)
		if kind == "date" && typed != "" { // the day begins with midnight
			kind, typed = act.Text, typed+"T00:00:00Z"
		}
		if err := (act.Member{Name: member, Kind: kind}).Put(body, typed); err != nil {
			return nil, fmt.Errorf("%s: %w", member, err)
		}
	}
	if len(body) == 0 {
		return nil, nil
	}
	return json.Marshal(body)
}
