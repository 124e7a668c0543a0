package chain

import (
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"strings"
)

// Recorder sees requests of clients.
type Recorder interface {
	// Record answers a request by next, and records it. It asks get for what is stored,
	// within the process.
	Record(w http.ResponseWriter, r *http.Request, next http.Handler, get func(path string) (int, []byte))
}

// resetPath is where clients bring back the start.
const resetPath = "/ssactl/reset"

// front answers what is not the API server's, and records what clients ask.
func (s *Server) front(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == resetPath:
			s.answerReset(w, r)
		case s.recorder != nil && s.fromUser(r):
			s.recorder.Record(w, r, api, func(path string) (int, []byte) { return s.get(r.Context(), path) })
		default:
			api.ServeHTTP(w, r)
		}
	})
}

// fromUser reports whether a request has the token of clients.
func (s *Server) fromUser(r *http.Request) bool {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && subtle.ConstantTimeCompare([]byte(token), []byte(s.secrets.user)) == 1
}

func (s *Server) answerReset(w http.ResponseWriter, r *http.Request) {
	switch {
	case !s.fromUser(r):
		http.Error(w, "Unauthorized", http.StatusUnauthorized)
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "send POST to reset", http.StatusMethodNotAllowed)
	default:
		w.Header().Set("Content-Type", "application/json")
		// The client is gone if this cannot be written.
		_ = json.NewEncoder(w).Encode(map[string]int{"changed": s.Reset()})
	}
}
