#!/bin/sh
# Writes the secrets of compose.yaml: .env with the values to fill in, and the file that Prometheus reads.
# Keep .env apart from backups of the database: ENCRYPTION_KEY opens every token in them.
set -eu
cd "$(dirname "$0")"
if [ -e .env ]; then
  echo '.env is there already, and nothing was changed: without its ENCRYPTION_KEY the database cannot be used.' >&2
  exit 1
fi
umask 077
metrics_token=$(openssl rand -hex 32)
cat >.env <<END
# The service is at DOMAIN, and its nodes are at one.DOMAIN and two.DOMAIN.
DOMAIN=live.example.com
# The public address of this machine.
PUBLIC_IP=203.0.113.7
# The folder of certbot. It has live/DOMAIN/fullchain.pem and live/DOMAIN/privkey.pem, for the three names.
CERTIFICATES=/etc/letsencrypt
POSTGRES_PASSWORD=$(openssl rand -hex 24)
ENCRYPTION_KEY=$(openssl rand -hex 32)
TURN_SECRET=$(openssl rand -hex 32)
METRICS_TOKEN=$metrics_token
GRAFANA_PASSWORD=$(openssl rand -hex 16)
END
# Prometheus reads it as a user of its own.
printf %s "$metrics_token" >metrics-token
chmod 644 metrics-token
