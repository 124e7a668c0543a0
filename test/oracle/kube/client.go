package kube

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// requestTime bounds one request.
const requestTime = 30 * time.Second

// ErrNoAnswer is wrapped where the server closed the connection: its code
// panicked on the request.
var ErrNoAnswer = errors.New("no answer")

// Call is one HTTP request to the server.
type Call struct {
	Method      string
	Path        string
	Query       url.Values
	ContentType string
	UserAgent   string
	// Accept is the media type of the answer; empty for JSON.
	Accept string
	Body   []byte
}

// Answer is what the server answered. Body is JSON but for the few paths that
// answer plain text.
type Answer struct {
	Code     int
	Body     []byte
	Warnings []string
	// Media is the media type of the body.
	Media string
}

// Client asks one server.
type Client struct {
	// As is the user that requests are made as; empty for the one that the token has.
	As string

	base  string
	token string
	http  *http.Client
}

// NewClient asks a server on loopback with a token.
func NewClient(base, token string) *Client {
	transport := &http.Transport{
		// The certificate is one that the server made for itself a moment ago,
		// and both ends are this process.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
	return &Client{base: base, token: token, http: &http.Client{Transport: transport, Timeout: requestTime}}
}

// Get reads a path.
func (c *Client) Get(ctx context.Context, path string) (Answer, error) {
	return c.Do(ctx, Call{Method: http.MethodGet, Path: path})
}

// Do asks once. An error means that there was no answer.
func (c *Client) Do(ctx context.Context, call Call) (Answer, error) {
	target := c.base + call.Path
	if len(call.Query) > 0 {
		target += "?" + call.Query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, call.Method, target, bytes.NewReader(call.Body))
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: %w", call.Method, call.Path, err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	if c.As != "" {
		req.Header.Set("Impersonate-User", c.As)
		req.Header.Set("Impersonate-Group", "system:masters")
	}
	req.Header.Set("Accept", cmp.Or(call.Accept, "application/json"))
	if call.ContentType != "" {
		req.Header.Set("Content-Type", call.ContentType)
	}
	if call.UserAgent != "" {
		req.Header.Set("User-Agent", call.UserAgent)
	}
	return c.read(req)
}

func (c *Client) read(req *http.Request) (Answer, error) {
	res, err := c.http.Do(req)
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: %w: %w", req.Method, req.URL.Path, ErrNoAnswer, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: read answer: %w", req.Method, req.URL.Path, err)
	}
	warnings, err := parseWarnings(res.Header)
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: %w", req.Method, req.URL.Path, err)
	}
	return Answer{
		Code: res.StatusCode, Body: body, Warnings: warnings, Media: res.Header.Get("Content-Type"),
	}, nil
}
