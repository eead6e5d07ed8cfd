package body

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Text is a text that may be written as a number. Space around it is cut off.
type Text string

// UnmarshalJSON takes either form.
func (t *Text) UnmarshalJSON(b []byte) error {
	var v Verbatim
	err := v.UnmarshalJSON(b)
	*t = Text(strings.TrimSpace(string(v)))
	return err
}

// Verbatim is a Text with the space that it has.
type Verbatim string

// UnmarshalJSON takes either form.
func (v *Verbatim) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) {
		return json.Unmarshal(b, (*string)(v))
	}
	var n json.Number
	err := json.Unmarshal(b, &n)
	*v = Verbatim(n)
	return err
}

// TextOr is the text, or what is there now if the member is absent.
func TextOr(o Opt[Text], now string) string { return string(o.Or(Text(now))) }

// Texts is a language-keyed member of a body: an object, or a plain string for every language of the store. An empty
// array counts as an empty object, because that is how answers may write one.
type Texts struct {
	plain *string
	by    map[string]string
}

// UnmarshalJSON takes either form.
func (t *Texts) UnmarshalJSON(b []byte) error {
	*t = Texts{}
	switch {
	case bytes.HasPrefix(b, []byte(`"`)):
		return json.Unmarshal(b, &t.plain)
	case bytes.HasPrefix(b, []byte(`[`)):
		var none []json.RawMessage
		if err := json.Unmarshal(b, &none); err != nil || len(none) > 0 {
			return errors.New("must be a text or an object of texts")
		}
		return nil
	}
	var by map[string]*string
	if err := json.Unmarshal(b, &by); err != nil {
		return err
	}
	t.by = map[string]string{}
	for language, text := range by {
		if text != nil {
			t.by[language] = *text
		}
	}
	return nil
}

// In returns the text of each language.
func (t Texts) In(st world.Store) map[string]string {
	switch {
	case t.plain != nil:
		return st.EveryLanguage(*t.plain)
	case t.by == nil:
		return map[string]string{}
	}
	return t.by
}

// One returns the single text that a member without languages has.
func (t Texts) One(st world.Store) string { return st.MainText(t.In(st)) }
