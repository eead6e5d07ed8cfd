package main

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/disputes"
)

// columns are the required columns of the file, in any order.
var columns = [...]string{
	"chargeback", "order", "payment", "status", "reason", "network_code", "amount", "withheld", "fee", "currency",
	"opened", "evidence_due", "evidence_url", "evidence_sent", "closed",
}

// row is one line of the file: a step of a chargeback.
type row struct {
	line                       int
	chargeback, order, payment string
	status                     disputes.Status
	sum                        string // of all cells and of earlier repetitions; identifies a line
	input                      disputes.Input
	update                     disputes.Update
	problem                    error // the first cell that could not be read
}

// readRows reads the whole file.
func readRows(file io.Reader) ([]row, error) {
	all, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("the first line must have the names of the columns")
	}
	for _, column := range columns {
		if !slices.Contains(all[0], column) {
			return nil, fmt.Errorf("column %s is missing", column)
		}
	}
	var rows []row
	seen := map[string]int{}
	for i, cells := range all[1:] {
		text := map[string]string{}
		for n, cell := range cells {
			text[all[0][n]] = strings.TrimSpace(cell)
		}
		r := newRow(i+2, text)
		seen[r.sum]++
		r.sum += fmt.Sprintf("-%d", seen[r.sum])
		rows = append(rows, r)
	}
	return rows, nil
}

// newRow reads the cells. It ignores cells that a step does not require. The first cell that cannot be read is its
// problem.
func newRow(line int, text map[string]string) row {
	sum := sha256.New()
	for _, column := range columns {
		fmt.Fprintf(sum, "%q", text[column])
	}
	r := row{
		line: line, chargeback: text["chargeback"], order: text["order"], payment: text["payment"],
		status: disputes.Status(text["status"]), sum: hex.EncodeToString(sum.Sum(nil)[:8]),
	}
	c := cells{text: text, currency: text["currency"]}
	if r.chargeback == "" {
		c.problem = errors.New("chargeback: must be the processor's id")
	}
	withheld, sent := c.amount("withheld"), c.time("evidence_sent")
	if r.status == disputes.StatusNeedsResponse {
		r.input = disputes.Input{
			Reason: disputes.Reason(text["reason"]), ExternalReason: text["network_code"], Amount: c.amount("amount"), RetainedTotal: withheld,
			InitiatedAt: c.time("opened"), EvidenceDueAt: c.time("evidence_due"), EvidenceURL: text["evidence_url"], EvidenceSentAt: sent,
		}
		if text["fee"] != "" {
			r.input.Fees = []disputes.Fee{{Type: disputes.FeeTypeProcessing, Amount: c.amount("fee")}}
		}
	} else {
		r.update = disputes.Update{
			Status: r.status, RetainedTotal: withheld, EvidenceURL: text["evidence_url"], EvidenceSentAt: sent, ClosedAt: c.time("closed"),
		}
	}
	r.problem = c.problem
	return r
}

// cells reads the typed cells of a line and keeps the first problem.
type cells struct {
	text     map[string]string
	currency string
	problem  error
}

func (c *cells) amount(column string) disputes.Amount {
	return disputes.Amount{Value: parsed(c, column, client.ParseMoney), Currency: c.currency}
}

func (c *cells) time(column string) client.Time { return parsed(c, column, client.ParseTime) }

func parsed[T any](c *cells, column string, parse func(string) (T, error)) T {
	v, err := parse(c.text[column])
	if err != nil && c.problem == nil {
		c.problem = fmt.Errorf("%s: %w", column, err)
	}
	return v
}
