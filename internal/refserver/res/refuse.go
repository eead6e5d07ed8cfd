package res

import (
	"errors"
	"maps"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
)

// noSuchProduct is the contract's text.
const noSuchProduct = "Product with such id does not exist"

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

// assumed marks a refusal of an operation that is shown, if only the refusal is inferred.
func assumed(err error) error {
	refusal, ok := errors.AsType[*api.Error](err)
	if !ok {
		return err
	}
	out := *refusal
	out.Header = maps.Clone(refusal.Header)
	if out.Header == nil {
		out.Header = http.Header{}
	}
	maps.Copy(out.Header, assumedHeader())
	return &out
}

// assumedHeader marks an answer that is inferred, of an operation that is not.
func assumedHeader() http.Header { return http.Header{api.ProvenanceHeader: {string(api.Assumed)}} }

// assumedRefusal is what is wrong, marked as inferred; nil if nothing is.
func assumedRefusal(wrong *body.Problems) error {
	if !wrong.Any() {
		return nil
	}
	return assumed(api.Validation(wrong.ByField()))
}
