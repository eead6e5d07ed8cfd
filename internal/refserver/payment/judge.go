package payment

import "errors"

// Judge says why the platform counts an answer as a failure; nil if the app accepted the call, or rejected it as it
// may.
func Judge(kind Kind, status int, answer []byte) error {
	c := Call{Kind: kind, HTTPStatus: status, Answer: answer}
	if c.judge(); c.Outcome == Failed {
		return errors.New(c.Reason)
	}
	return nil
}
