package body

import (
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// Problems collects what is wrong with the fields of a body, in the order it was found.
// Its methods answer in the shapes of the API; each returns nil if nothing is wrong.
type Problems struct{ list []problem }

type problem struct{ field, text string }

// Refuse is the answer to a single problem.
func Refuse(field, text string) error {
	var p Problems
	p.Add(field, text)
	return p.Err()
}

// Missing is the answer to a body without a field that has to be there.
func Missing(field string) error { return Refuse(field, Required(words(field))) }

// NoSuch is the answer to a value that is not among those there are.
func NoSuch(field string) error { return Refuse(field, NotSelectable(words(field))) }

// Add notes a problem, once.
func (p *Problems) Add(field, text string) {
	for _, known := range p.list {
		if known == (problem{field, text}) {
			return
		}
	}
	p.list = append(p.list, problem{field, text})
}

// Of lists the problems of a field.
func (p *Problems) Of(field string) []string { return p.ByField()[field] }

// Any reports whether anything is wrong.
func (p *Problems) Any() bool { return len(p.list) > 0 }

// ByField lists the problems of each field.
func (p *Problems) ByField() map[string][]string {
	out := map[string][]string{}
	for _, one := range p.list {
		out[one.field] = append(out[one.field], one.text)
	}
	return out
}

// Err is 422 "Validation error" with a list of messages per field.
func (p *Problems) Err() error { return p.ErrBy(http.StatusUnprocessableEntity) }

// ErrBy is Err with another status.
func (p *Problems) ErrBy(status int) error {
	if !p.Any() {
		return nil
	}
	return api.ValidationBy(status, p.ByField())
}

// Fields is 422 with nothing but the fields, for a resource that has one called like a
// member of the common shape.
func (p *Problems) Fields() error {
	if !p.Any() {
		return nil
	}
	out := api.Invalid(p.list[0].field)
	for field, texts := range p.ByField() {
		out = out.With(field, texts)
	}
	return out
}

// Described is 400 with messages by dotted path, as fulfillment orders have it.
func (p *Problems) Described() error {
	if !p.Any() {
		return nil
	}
	return api.DescribedAll(http.StatusBadRequest, validationError, p.ByField())
}

// Exception is 400 with one text for each problem, as promotions have it.
func (p *Problems) Exception() error {
	if !p.Any() {
		return nil
	}
	texts := make([]string, len(p.list))
	for i, one := range p.list {
		texts[i] = one.field + " " + one.text
	}
	return api.Exception(http.StatusBadRequest, "BadRequestException", texts...)
}

// Coded is 400 in the common shape with the first problem as its description.
func (p *Problems) Coded() error {
	if !p.Any() {
		return nil
	}
	return api.Coded(http.StatusBadRequest, p.list[0].field+" "+p.list[0].text)
}
