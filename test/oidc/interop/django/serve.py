"""Django OAuth Toolkit as Debian packages it, with the sign-in page that an app has anyway: serve.py FOLDER PORT REDIRECT_URI..."""
import sys
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server

folder, port, *redirect_uris = sys.argv[1:]
app_origin = "/".join(redirect_uris[0].split("/")[:3])

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="not-a-secret",
    ALLOWED_HOSTS=["localhost"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{folder}/db"}},
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "corsheaders",
        "oauth2_provider",
    ],
    MIDDLEWARE=[
        "corsheaders.middleware.CorsMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "DIRS": [str(Path(__file__).parent)],
            "APP_DIRS": True,
        }
    ],
    LOGIN_URL="/accounts/login/",
    CORS_ALLOWED_ORIGINS=[app_origin],
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": Path(f"{folder}/key.pem").read_text(),
        "PKCE_REQUIRED": True,
        "ACCESS_TOKEN_EXPIRE_SECONDS": 60,
        "SCOPES": {"openid": "openid", "profile": "profile", "offline_access": "offline_access"},
    },
)
django.setup()

from django.contrib.auth import get_user_model
from django.contrib.auth.views import LoginView
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.urls import include, path
from oauth2_provider.models import get_application_model

urlpatterns = [
    path("accounts/login/", LoginView.as_view(template_name="login.html")),
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
]

call_command("migrate", verbosity=0)
if not get_user_model().objects.exists():
    get_user_model().objects.create_user("ada", "ada@example.test", "not-a-secret")
    get_application_model().objects.create(
        client_id="admin",
        client_type="public",
        authorization_grant_type="authorization-code",
        algorithm="RS256",
        redirect_uris=" ".join(redirect_uris),
    )


class Quiet(WSGIRequestHandler):
    def log_message(self, *_words):
        pass


with make_server("127.0.0.1", int(port), get_wsgi_application(), handler_class=Quiet) as server:
    print("ready", flush=True)
    server.serve_forever()
