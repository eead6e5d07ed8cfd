package control

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

const mostEvent = 16 << 20 // bytes of an event of a stream

// Follow reads a stream, such as "deliveries/follow", until ctx ends or each returns an error, and calls each with every
// change. It returns the error of each or of ctx, or why the stream ended.
func (c *Client) Follow(ctx context.Context, path string, each func(json.RawMessage) error) error {
	response, err := c.do(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		got, _ := io.ReadAll(io.LimitReader(response.Body, mostAll)) // what is left of the refusal is enough
		return c.refused(response.StatusCode, got)
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, mostEvent)
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			if err := each(json.RawMessage(data)); err != nil {
				return err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Errorf("%w any more at %s: the stream %s ended", ErrUnreachable, c.base, path)
}
