package label

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
)

// partJSON is what a 207 says of one label.
type partJSON struct {
	Status string          `json:"status"`
	Reason json.RawMessage `json:"reason"`
}

// madeJSON is a part of the answer to generate, which names the label otherwise than the other answers do.
type madeJSON struct {
	ID string `json:"id"`
	partJSON
}

// undoneJSON is the answer to the other calls. The label alone identifies the part of the request. The fulfillment
// order is a part of the form too.
type undoneJSON struct {
	Labels []struct {
		LabelID     string `json:"label_id"`
		Fulfillment string `json:"fulfillment_order_id"`
		partJSON
	} `json:"labels"`
}

// reasonJSON is a reason that is an object.
type reasonJSON struct {
	Code    string `json:"code"`
	Type    string `json:"type"`
	Message string `json:"message"`
}

// reason reads the reason of a refusal in any of its forms.
func (p partJSON) reason() (code, message string) {
	var o reasonJSON
	if json.Unmarshal(p.Reason, &o) == nil {
		if o.Code == "" {
			o.Code = o.Type
		}
		return o.Code, o.Message
	}
	_ = json.Unmarshal(p.Reason, &message) // what is not a text either is no message
	return "", message
}

// hearEach takes over what a 207 says of each label of a request to make them.
func (c *Call) hearEach() {
	var parts []madeJSON
	if err := json.Unmarshal(c.Answer, &parts); err != nil {
		c.Reason = "the answer 207: must be an array of {id, status, reason}"
		return
	}
	c.Unread = delivery.Unread[[]madeJSON](c.Answer)
	for _, part := range parts {
		c.addUnread("reason.", part.partJSON)
		r, err := c.about(part.ID, part.partJSON)
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
	var body undoneJSON
	if err := json.Unmarshal(c.Answer, &body); err != nil || body.Labels == nil {
		c.Reason = "the answer 207: must be {labels: [{fulfillment_order_id, label_id, status, reason}]}"
		return
	}
	c.Unread = delivery.Unread[undoneJSON](c.Answer)
	for _, part := range body.Labels {
		c.addUnread("labels.reason.", part.partJSON)
		r, err := c.about(part.LabelID, part.partJSON)
		switch {
		case err != nil:
			c.Reason = err.Error()
		case !r.OK && !slices.Contains(strings.Fields(cancelCodes), r.Code):
			c.Reason = fmt.Sprintf("label %s: code %q: must be one of %s", r.Label, r.Code, strings.ReplaceAll(cancelCodes, " ", ", "))
		}
	}
}

// addUnread notes the members of a reason that nothing reads.
func (c *Call) addUnread(path string, part partJSON) {
	for _, name := range delivery.Unread[reasonJSON](part.Reason) {
		if !slices.Contains(c.Unread, path+name) {
			c.Unread = append(c.Unread, path+name)
		}
	}
	slices.Sort(c.Unread)
}

// about is the result of the label that a part of the answer is about.
func (c *Call) about(id string, part partJSON) (*Result, error) {
	at := slices.IndexFunc(c.Results, func(r Result) bool { return r.Label == id })
	switch {
	case at < 0:
		return nil, fmt.Errorf("label %q: it is not in the request", id)
	case part.Status != "OK" && part.Status != "FAILED":
		return nil, errors.New("label " + id + ": status: must be OK or FAILED")
	}
	r := &c.Results[at]
	r.OK, r.Code, r.Message = part.Status == "OK", "", ""
	if !r.OK {
		r.Code, r.Message = part.reason()
	}
	return r, nil
}
