// ZITADEL's OpenID provider library as its example server uses it, and what that leaves out: a session in the browser, and addresses to return to after a logout.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

const password = "not-a-secret"

type session struct {
	username string
	at       time.Time
}

type contextKey struct{}

type server struct {
	*storage.Storage
	lock      sync.Mutex
	sessions  map[string]session
	at        map[string]time.Time // by the id of a request
	mustAsk   map[string]bool
	addresses []string
}

type client struct {
	op.Client
	addresses []string
}

func (c client) PostLogoutRedirectURIs() []string    { return c.addresses }
func (c client) ApplicationType() op.ApplicationType { return op.ApplicationTypeUserAgent }
func (c client) DevMode() bool                       { return true }

// The example takes the time of the request for that of the sign-in.
type request struct {
	op.AuthRequest
	at time.Time
}

func (r request) GetAuthTime() time.Time { return r.at }

func (s *server) withTime(found op.AuthRequest, err error) (op.AuthRequest, error) {
	if err != nil {
		return nil, err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	return request{found, s.at[found.GetID()]}, nil
}

func (s *server) GetClientByClientID(ctx context.Context, id string) (op.Client, error) {
	found, err := s.Storage.GetClientByClientID(ctx, id)
	if err != nil {
		return nil, err
	}
	return client{found, s.addresses}, nil
}

func (s *server) CreateAuthRequest(ctx context.Context, asked *oidc.AuthRequest, userID string) (op.AuthRequest, error) {
	own, isKnown := ctx.Value(contextKey{}).(session)
	mustAsk := !isKnown
	for _, prompt := range asked.Prompt {
		mustAsk = mustAsk || prompt == "login"
	}
	if asked.MaxAge != nil && time.Since(own.at) > time.Duration(*asked.MaxAge)*time.Second {
		mustAsk = true
	}
	if !mustAsk {
		asked.Prompt = nil
	}
	made, err := s.Storage.CreateAuthRequest(ctx, asked, userID)
	if err != nil {
		return nil, err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.mustAsk[made.GetID()] = mustAsk
	return made, nil
}

func (s *server) AuthRequestByID(ctx context.Context, id string) (op.AuthRequest, error) {
	return s.withTime(s.Storage.AuthRequestByID(ctx, id))
}

func (s *server) AuthRequestByCode(ctx context.Context, code string) (op.AuthRequest, error) {
	return s.withTime(s.Storage.AuthRequestByCode(ctx, code))
}

func plain(asked op.TokenRequest) op.TokenRequest {
	if own, ok := asked.(request); ok {
		return own.AuthRequest
	}
	return asked
}

func (s *server) CreateAccessToken(ctx context.Context, asked op.TokenRequest) (string, time.Time, error) {
	id, _, err := s.Storage.CreateAccessToken(ctx, plain(asked))
	return id, time.Now().Add(time.Minute), err
}

func (s *server) CreateAccessAndRefreshTokens(ctx context.Context, asked op.TokenRequest, current string) (string, string, time.Time, error) {
	id, refresh, _, err := s.Storage.CreateAccessAndRefreshTokens(ctx, plain(asked), current)
	return id, refresh, time.Now().Add(time.Minute), err
}

func (s *server) TerminateSession(ctx context.Context, userID string, clientID string) error {
	s.lock.Lock()
	for id := range s.sessions {
		if userID != "" {
			delete(s.sessions, id)
		}
	}
	s.lock.Unlock()
	return s.Storage.TerminateSession(ctx, userID, clientID)
}

func (s *server) begin(id string, own session) bool {
	if s.CheckUsernamePassword(own.username, password, id) != nil {
		return false
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.at[id] = own.at
	return true
}

func (s *server) withSession(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/end" {
			// What an administrator does to a user.
			if err := s.TerminateSession(r.Context(), r.URL.Query().Get("user"), "admin"); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
			return
		}
		isLogin := r.URL.Path == "/login/username"
		cookie, err := r.Cookie("session")
		if err == nil {
			s.lock.Lock()
			own, isKnown := s.sessions[cookie.Value]
			id := r.URL.Query().Get("authRequestID")
			isAsked := s.mustAsk[id]
			s.lock.Unlock()
			if isKnown {
				r = r.WithContext(context.WithValue(r.Context(), contextKey{}, own))
			}
			if isKnown && isLogin && r.Method == http.MethodGet && !isAsked && s.begin(id, own) {
				http.Redirect(w, r, "/auth/callback?id="+id, http.StatusFound)
				return
			}
		}
		if isLogin && r.Method == http.MethodPost && r.FormValue("password") == password {
			own := session{r.FormValue("username"), time.Now()}
			if s.begin(r.FormValue("id"), own) {
				id := uuid.NewString()
				s.lock.Lock()
				s.sessions[id] = own
				s.lock.Unlock()
				http.SetCookie(w, &http.Cookie{Name: "session", Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
				http.Redirect(w, r, "/auth/callback?id="+r.FormValue("id"), http.StatusFound)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// Its port, its users' file, the app's addresses.
func main() {
	port, file, addresses := os.Args[1], os.Args[2], os.Args[3:]
	storage.RegisterClients(storage.NativeClient("admin", addresses...))
	users, err := storage.StoreFromFile(file)
	if err != nil {
		panic(err)
	}
	own := &server{
		Storage:   storage.NewStorage(users),
		sessions:  map[string]session{},
		at:        map[string]time.Time{},
		mustAsk:   map[string]bool{},
		addresses: addresses,
	}
	issuer := fmt.Sprintf("http://localhost:%s", port)
	handler := own.withSession(exampleop.SetupServer(issuer, own, nil, false))
	fmt.Println("ready", strings.Join(addresses, " "))
	panic(http.ListenAndServe("127.0.0.1:"+port, handler))
}
