package console

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
)

// of has the values of the parameters in the path of an act, in order.
type of = []string

// ask is the form of an act. Each field is a member of its input, as in "method_type?|Type of method=visa": after the
// name, ? makes it optional, ! hides it, | begins another label and = its value. A field such as "/store=1001" is a
// parameter of the path that is typed; then values is empty.
func (a *asked) ask(name, label string, values of, fields ...string) form {
	declared, ok := act.Find(a.acts, name)
	path, err := declared.Fill(values...)
	if !ok {
		err = fmt.Errorf("there is no act %q", name)
	}
	f := form{Call: declared.Method + " " + path, Label: label}
	for _, text := range fields {
		if parameter, ok := strings.CutPrefix(text, "/"); ok {
			name, value, _ := strings.Cut(parameter, "=")
			f.Call, err = declared.Method+" "+declared.Path, nil
			f.Fields = append(f.Fields, field{Name: name, Label: act.Member{Name: name}.Label(), Kind: "path", Value: value})
			continue
		}
		one, is := fieldOf(declared, text)
		if !is && err == nil {
			err = fmt.Errorf("act %s has no member for the field %q", name, text)
		}
		f.Fields = append(f.Fields, one)
	}
	if a.err == nil {
		a.err = err
	}
	return f
}

// fieldOf is the field of a member of an act.
func fieldOf(declared act.Act, text string) (field, bool) {
	name, value, _ := strings.Cut(text, "=")
	name, label, _ := strings.Cut(name, "|")
	plain := strings.TrimRight(name, "?!")
	m, ok := declared.Member(plain)
	if within, _, inside := strings.Cut(plain, "."); !ok && inside { // a member of a member that is JSON
		m, ok = declared.Member(within)
		m, ok = act.Member{Name: plain, Kind: act.Text}, ok && m.Kind == act.JSON
	}
	if strings.HasSuffix(name, "!") {
		return hidden(m.Kind+":"+plain, value), ok
	}
	if label == "" && ok {
		label = m.Label()
	}
	return field{Name: plain, Label: label, Kind: m.Kind, Value: value, Optional: strings.HasSuffix(name, "?")}, ok
}

// hidden is a member of the body that nobody types.
func hidden(name, value string) field { return field{Name: name, Kind: "hidden", Value: value} }

// choosing is the form with choices for a field.
func (f form) choosing(name string, of []choice) form {
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			f.Fields[i].Choices = of
		}
	}
	return f
}

// endangering is the form of an act that takes something away.
func (f form) endangering() form {
	f.Danger = true
	return f
}

// losing is the form of an act that loses data, which is named in a sentence.
func (f form) losing(what string) form {
	f.Loses = what
	return f
}

// followed is the form with a further act after it.
func (f form) followed(call string, body any) form {
	step, _ := json.Marshal(map[string]any{"call": call, "body": body}) // of texts and maps
	f.Steps = append(f.Steps, string(step))
	return f
}
