package label

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// partJSON is what a 207 says of one label.
type partJSON struct {
	// ID is the label in the answer to generate, LabelID in the others.
	ID          string          `json:"id"`
	LabelID     string          `json:"label_id"`
	Fulfillment string          `json:"fulfillment_order_id"`
	Status      string          `json:"status"`
	Reason      json.RawMessage `json:"reason"`
}

// reason reads the reason of a refusal in any of its forms.
func (p partJSON) reason() (code, message string) {
	var o struct {
		Code    string `json:"code"`
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	if json.Unmarshal(p.Reason, &o) == nil {
		if o.Code == "" {
			o.Code = o.Type
		}
		return o.Code, o.Message
	}
	_ = json.Unmarshal(p.Reason, &message) // what is no text either is no message
	return "", message
}

// hearEach takes over what a 207 says of each label of a request to make them.
func (c *Call) hearEach() {
	var parts []partJSON
	if err := json.Unmarshal(c.Answer, &parts); err != nil {
		c.Reason = "the answer 207: want an array of {id, status, reason}"
		return
	}
	for _, part := range parts {
		r, err := c.about(part.ID, part)
		switch {
		case err != nil:
			c.Reason = err.Error()
		case !r.OK && r.Code == "":
			r.Code = otherError
		}
	}
}

// cancelCodes are the reasons for which a carrier may refuse to cancel.
const cancelCodes = "LABEL_IN_TRANSIT LABEL_DELIVERED CANCELLATION_WINDOW_EXPIRED CARRIER_SYSTEM_ERROR CARRIER_POLICY_VIOLATION INSUFFICIENT_PERMISSIONS CARRIER_CANCELLATION_REJECTED"

// hearUndo reads what the carrier says of each label of another request.
func (c *Call) hearUndo() {
	for i := range c.Results {
		if c.Results[i].OK = c.Reason == "" && c.Status != http.StatusMultiStatus; !c.Results[i].OK {
			c.Results[i].Message = c.Reason
		}
	}
	if c.Status != http.StatusMultiStatus {
		return
	}
	var body struct {
		Labels []partJSON `json:"labels"`
	}
	if err := json.Unmarshal(c.Answer, &body); err != nil || body.Labels == nil {
		c.Reason = "the answer 207: want {labels: [{fulfillment_order_id, label_id, status, reason}]}"
		return
	}
	for _, part := range body.Labels {
		r, err := c.about(part.LabelID, part)
		switch {
		case err != nil:
			c.Reason = err.Error()
		case !r.OK && !slices.Contains(strings.Fields(cancelCodes), r.Code):
			c.Reason = fmt.Sprintf("label %s: code %q: want one of %s", r.Label, r.Code, strings.ReplaceAll(cancelCodes, " ", ", "))
		}
	}
}

// about is the result of the label that a part of the answer is about.
func (c *Call) about(id string, part partJSON) (*Result, error) {
	at := slices.IndexFunc(c.Results, func(r Result) bool { return r.Label == id })
	switch {
	case at < 0:
		return nil, fmt.Errorf("label %q: it is not in the request", id)
	case part.Status != "OK" && part.Status != "FAILED":
		return nil, errors.New("label " + id + ": status: want OK or FAILED")
	}
	r := &c.Results[at]
	r.OK, r.Code, r.Message = part.Status == "OK", "", ""
	if !r.OK {
		r.Code, r.Message = part.reason()
	}
	return r, nil
}
