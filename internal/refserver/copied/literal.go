package copied

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// use imports the package of a type.
func (w *goWriter) use(typ string) {
	pkg, _, _ := strings.Cut(strings.TrimLeft(typ, "[]*"), ".")
	if path := typedCalls().packages[pkg]; path != "" {
		w.imports[path] = true
	}
}

// decoded is a body as JSON, nil if it is empty.
func decoded(body string) (v any) {
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	_ = d.Decode(&v) // it is JSON, or empty
	return v
}

// textOf is a value of JSON as text: a text and a number as they are.
func textOf(v any) string {
	switch v.(type) {
	case nil:
		return ""
	case string, json.Number, bool:
		return fmt.Sprint(v)
	}
	raw, _ := json.Marshal(v) // it was JSON
	return string(raw)
}

// number10 is JSON's, as an amount or an id may be.
var number10 = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,17})$`)

// literal is a value of JSON, or a text of a query or a path, as an expression of a type.
func (w *goWriter) literal(typ string, v any) (string, error) {
	text := textOf(v)
	unfit := fmt.Errorf("%.60s is no %s", textOf(v), typ)
	if inner, ok := strings.CutPrefix(typ, "client.Opt["); ok {
		inner = strings.TrimSuffix(inner, "]")
		w.use(inner)
		if v == nil {
			return "client.Null[" + inner + "]()", nil
		}
		lit, err := w.literal(inner, v)
		if inner != "string" && inner != "bool" && inner != "int" && !strings.HasPrefix(lit, inner) {
			return "client.Set[" + inner + "](" + lit + ")", err
		}
		return "client.Set(" + lit + ")", err
	}
	if inner, ok := strings.CutPrefix(typ, "*"); ok {
		w.use(inner)
		lit, err := w.literal(inner, v)
		if _, is := typedCalls().types[inner]; is {
			return "&" + lit, err
		}
		return "new(" + inner + "(" + lit + "))", err
	}
	if inner, ok := strings.CutPrefix(typ, "[]"); ok && inner != "uint8" {
		return w.list(typ, inner, v)
	}
	if key, inner, ok := strings.Cut(typ, "]"); ok && strings.HasPrefix(key, "map[") {
		w.use(strings.TrimPrefix(key, "map["))
		return w.mapOf(typ, inner, v)
	}
	if typ == "client.Text" {
		return w.mapOf(typ, "string", v)
	}
	if members, ok := typedCalls().types[typ]; ok {
		of, is := v.(map[string]any)
		if !is {
			return "", unfit
		}
		lit, known, err := w.structOf(typ, members, of)
		for name := range of {
			if !known[name] && err == nil {
				err = fmt.Errorf("%s has no member %q", typ, name)
			}
		}
		return lit, err
	}
	w.use(typ)
	switch kind := typedCalls().kinds[typ]; {
	case typ == "json.RawMessage":
		raw, err := json.Marshal(v)
		return "json.RawMessage(" + goString(string(raw)) + ")", err
	case v == nil:
		return "", unfit
	case typ == "client.Money":
		w.imports[module+"client"] = true
		return "client.MustMoney(" + strconv.Quote(text) + ")", checkAmount(text)
	case typ == "client.MoneyNumber":
		return "client.MoneyNumber{Money: client.MustMoney(" + strconv.Quote(text) + ")}", checkAmount(text)
	case typ == "client.Time" || typ == "time.Time" || typ == "client.Date":
		return w.time(typ, text)
	case typ == "uuid.UUID" || typ == "ulid.ULID":
		return strings.Split(typ, ".")[0] + ".MustParse(" + strconv.Quote(text) + ")", nil
	case typ == "interface {}":
		return w.anyOf(v), nil
	case strings.HasPrefix(kind, "[]"): // a text with commas
		return w.list(typ, kind[2:], v)
	case kind == "string":
		return strconv.Quote(text), nil
	case kind == "bool":
		b, ok := map[string]string{"true": "true", "1": "true", "false": "false", "0": "false"}[text]
		if !ok {
			return "", unfit
		}
		return b, nil
	case strings.HasPrefix(kind, "int") && number10.MatchString(text):
		return text, nil
	}
	return "", unfit
}

// anyOf is a value of JSON as an expression of the type any.
func (w *goWriter) anyOf(v any) string {
	var parts []string
	switch of := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(of)) {
			parts = append(parts, strconv.Quote(name)+": "+w.anyOf(of[name]))
		}
		return "map[string]any{" + strings.Join(parts, ", ") + "}"
	case []any:
		for _, one := range of {
			parts = append(parts, w.anyOf(one))
		}
		return "[]any{" + strings.Join(parts, ", ") + "}"
	case string:
		return strconv.Quote(of)
	case nil:
		return "nil"
	case json.Number:
		if len(of) > 15 { // neither an int nor a float64 is surely as exact
			w.imports["encoding/json"] = true
			return "json.RawMessage(" + strconv.Quote(of.String()) + ")"
		}
	}
	return fmt.Sprint(v)
}

// checkAmount returns an error for what client.MustMoney does not take.
func checkAmount(text string) error {
	if !regexp.MustCompile(`^-?[0-9]{1,14}(\.[0-9]{1,4})?$`).MatchString(text) {
		return fmt.Errorf("%.60s is no amount", text)
	}
	return nil
}

// list is an array of JSON or a list of a query with commas.
func (w *goWriter) list(typ, inner string, v any) (string, error) {
	all, ok := v.([]any)
	if s, is := v.(string); is {
		for part := range strings.SplitSeq(s, ",") {
			all = append(all, part)
		}
		ok = true
	}
	if !ok {
		return "", fmt.Errorf("%.60s is no %s", textOf(v), typ)
	}
	w.use(inner)
	var parts []string
	for _, one := range all {
		lit, err := w.literal(inner, one)
		if err != nil {
			return "", err
		}
		parts = append(parts, lit)
	}
	return typ + "{" + strings.Join(parts, ", ") + "}", nil
}

// mapOf is an object of JSON as a map from texts.
func (w *goWriter) mapOf(typ, inner string, v any) (string, error) {
	of, ok := v.(map[string]any)
	if !ok {
		return "", fmt.Errorf("%.60s is no %s", textOf(v), typ)
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		lit, err := w.literal(inner, of[name])
		if err != nil {
			return "", err
		}
		parts = append(parts, strconv.Quote(name)+": "+lit)
	}
	return typ + "{" + strings.Join(parts, ", ") + "}", nil
}

// structOf is an object of JSON as a struct, and the members that the struct has. A field that sends no zero value
// cannot have one.
func (w *goWriter) structOf(typ string, members []goMember, of map[string]any) (string, map[string]bool, error) {
	w.use(typ)
	var parts []string
	known := map[string]bool{}
	for _, m := range members {
		if m.name == "" {
			lit, inner, err := w.structOf(m.typ, typedCalls().types[m.typ], of)
			if err != nil {
				return "", nil, err
			}
			if lit != m.typ+"{}" {
				parts = append(parts, m.field+": "+lit)
			}
			for name := range inner {
				known[name] = true
			}
			continue
		}
		v, sent := of[m.name]
		if known[m.name] = true; !sent {
			if m.always {
				return "", nil, fmt.Errorf("%s always sends %q", typ, m.name)
			}
			continue
		}
		if none := v == nil || v == "" || v == false || textOf(v) == "0"; none && !m.always &&
			!strings.HasPrefix(m.typ, "client.Opt[") {
			return "", nil, fmt.Errorf("%s does not send a zero %q", typ, m.name)
		}
		lit, err := w.literal(m.typ, v)
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", m.name, err)
		}
		parts = append(parts, m.field+": "+lit)
	}
	if len(parts) > 3 {
		return typ + "{\n" + strings.Join(parts, ",\n") + ",\n}", known, nil
	}
	return typ + "{" + strings.Join(parts, ", ") + "}", known, nil
}

// time is a time or a day.
func (w *goWriter) time(typ, text string) (string, error) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil && typ != "time.Time" {
		t, err = time.Parse(time.DateOnly, text)
	}
	if err != nil {
		return "", fmt.Errorf("%.60s is no time", text)
	}
	if typ == "client.Date" {
		return fmt.Sprintf("client.Date{Year: %d, Month: %d, Day: %d}", t.Year(), t.Month(), t.Day()), nil
	}
	w.imports["time"] = true
	zone := "time.UTC"
	if name, offset := t.Zone(); offset != 0 {
		zone = fmt.Sprintf("time.FixedZone(%q, %d)", name, offset)
	}
	lit := fmt.Sprintf("time.Date(%d, %d, %d, %d, %d, %d, %d, %s)", t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(),
		t.Second(), t.Nanosecond(), zone)
	if typ == "client.Time" {
		lit = "client.At(" + lit + ")"
	}
	return lit, nil
}
