package label

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Judge says what is wrong with an answer to a call about labels, nil if nothing is. request is what the carrier was
// asked.
func Judge(kind Kind, request []byte, status int, answer []byte) error {
	c := Call{Kind: kind, Status: status, Answer: answer}
	var made []struct {
		ID string `json:"id"`
	}
	var undone undoJSON
	if json.Unmarshal(request, &made) != nil {
		if err := json.Unmarshal(request, &undone); err != nil {
			return fmt.Errorf("the request: %w", err)
		}
	}
	for _, l := range made {
		c.Results = append(c.Results, Result{Label: l.ID})
	}
	for _, l := range undone.Labels {
		c.Results = append(c.Results, Result{Fulfillment: l.Fulfillment, Label: l.Label})
	}
	if c.refuseStatus(); kind == Generate {
		c.hear()
	} else {
		c.hearUndo()
	}
	if c.Reason != "" {
		return errors.New(c.Reason)
	}
	return nil
}

// refuseStatus says what is wrong with a status outside 2xx.
func (c *Call) refuseStatus() {
	if c.Status < 200 || c.Status > 299 {
		c.Reason = fmt.Sprintf("status %d: must be 2xx", c.Status)
	}
}
