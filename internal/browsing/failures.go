package browsing

import (
	"encoding/json"

	"github.com/commerceplatform/commerce-go/webhook"
)

// mostCause is the number of characters of a cause that a failure has.
const mostCause = 500

// Failed adds a failure to those of an entry. The oldest go if there are too many.
func Failed(all []webhook.EntryFailure, f webhook.EntryFailure) []webhook.EntryFailure {
	if cause := []rune(f.Cause); len(cause) > mostCause {
		f.Cause = string(cause[:mostCause])
	}
	all = append(all[max(0, len(all)-webhook.MostFailures+1):len(all):len(all)], f)
	return all
}

// Failures reads the failures of an entry as JSON. Damaged text has none, because nothing depends on them.
func Failures(text []byte) (all []webhook.EntryFailure) {
	if len(text) == 0 || json.Unmarshal(text, &all) != nil {
		return nil
	}
	return all
}
