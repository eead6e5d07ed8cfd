package console

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
)

// acts shows every act of the platform, or the form of one, made of its declaration.
func acts(a *asked) []section {
	if name := a.query("act"); name != "" {
		return a.act(name)
	}
	s := section{Title: "Acts of the platform", Heads: []string{"Act", "Does"}}
	for _, one := range a.acts {
		s.Rows = append(s.Rows, []cell{{Text: one.Name, Link: link("/acts", "act", one.Name), Class: "whole"},
			{Text: plain(one.Does)}})
	}
	return []section{s}
}

// act is the form of an act with all parameters and members.
func (a *asked) act(name string) []section {
	declared, ok := act.Find(a.acts, name)
	if !ok {
		a.err = &refusal{Status: http.StatusNotFound, Message: fmt.Sprintf("act %q does not exist", name)}
		return nil
	}
	a.title = name
	var fields []string
	for _, p := range declared.Parameters() {
		if p == "store" {
			p += "=" + a.store()
		}
		fields = append(fields, "/"+p)
	}
	for _, m := range declared.Members() {
		whole := act.Member{Name: strings.ReplaceAll(m.Name, ".", " ")} // several members may end with name
		fields = append(fields, m.Name+"?|"+whole.Label())
	}
	label := "Do it"
	if declared.Reads() {
		label = "Read it"
	}
	one := section{
		Title: name, Note: strings.ToUpper(declared.Does[:1]) + plain(declared.Does[1:]) + ".", Forms: []form{a.ask(name, label,
			nil, fields...)},
		Facts: []fact{
			{"Call", cell{Text: declared.Method + " " + declared.Path, Class: "code"}},
			{"Command", cell{Text: "refserver do " + name, Class: "code"}},
			{"Go tests", cell{Text: strings.Join(declared.InGo, ", "), Class: "code"}},
			{"All acts", cell{Text: "acts of the platform", Link: "/acts"}},
		},
	}
	example := section{Title: "An answer", Text: declared.Answer}
	if declared.Body != "" {
		example = section{Title: "A body and its answer", Text: strings.Join([]string{declared.Body, declared.Answer},
			"\n\n")}
	}
	return []section{one, example}
}

// plain is a help text without the marks of code, which api.md has.
func plain(help string) string { return strings.ReplaceAll(help, "`", "") }
