package document

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// pages makes the page of each callback from its template in the directory pages.
func pages(root string, files map[string][]byte) error {
	at := filepath.Join(root, "internal/refserver/document/pages/*.tmpl")
	all, err := template.New("").Funcs(functions()).ParseGlob(at)
	if err != nil {
		return err
	}
	for _, page := range all.Templates() {
		name, isPage := strings.CutSuffix(page.Name(), ".md.tmpl")
		if !isPage {
			continue
		}
		var out bytes.Buffer
		if err := page.Execute(&out, nil); err != nil {
			return err
		}
		files[name+".md"] = out.Bytes()
	}
	return nil
}

// functions are what the templates of pages call.
func functions() template.FuncMap {
	l := world.Contract()
	return template.FuncMap{
		"answers": answers, "limit": limit, "labelRequest": func() int { return l.LabelRequest },
		"labelBatch": func() int { return l.LabelBatch }, "labelsOfOrder": func() int { return l.Labels },
		"bucket": func() int { return traffic.StandardRate().Bucket }, "leak": func() int { return traffic.StandardRate().Leak },
	}
}

// find returns a row of the table of calls.
func find(name string) (call, error) {
	all := append(calls(), eventCalls()...)
	i := slices.IndexFunc(all, func(c call) bool { return c.name == name })
	if i < 0 {
		return call{}, fmt.Errorf("call %q does not exist", name)
	}
	return all[i], nil
}

// answers is the table of the answers to a call, with its body in the words of its schema.
func answers(name string) (string, error) {
	c, err := find(name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| Status | Effect |\n|---|---|\n")
	for _, a := range c.answers {
		status := a.status
		if status == "default" {
			status = "other"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", status, a.causes)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// limit is the time within which a call must be answered, such as "800 ms".
func limit(name string) (string, error) {
	c, err := find(name)
	if c.limit < time.Second {
		return fmt.Sprintf("%d ms", c.limit.Milliseconds()), err
	}
	return fmt.Sprintf("%g seconds", c.limit.Seconds()), err
}
