CREATE FUNCTION public.streamgate_token_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform pg_notify('streamgate_token', (case tg_op when 'DELETE' then old.id else new.id end)::text);
      return null;
    end $$;
CREATE TABLE public.account (
    id text NOT NULL,
    created_on bigint NOT NULL
);
CREATE TABLE public.api_secret (
    account_id text NOT NULL,
    secret_hash text NOT NULL,
    created_on bigint NOT NULL
);
CREATE TABLE public.audit (
    id bigint NOT NULL,
    account_id text NOT NULL,
    "time" bigint NOT NULL,
    actor_by text NOT NULL,
    actor_id text,
    action text NOT NULL,
    target_kind text NOT NULL,
    target_id text NOT NULL,
    before text,
    after text
);
ALTER TABLE public.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.dashboard_code (
    code_hash text NOT NULL,
    account_id text NOT NULL,
    expires_on bigint NOT NULL
);
CREATE TABLE public.dashboard_session (
    session_hash text NOT NULL,
    account_id text NOT NULL,
    expires_on bigint NOT NULL
);
CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.refusal (
    id bigint NOT NULL,
    account_id text NOT NULL,
    "time" bigint NOT NULL,
    kind text NOT NULL,
    token_id bigint,
    stream_name text NOT NULL,
    origin text,
    address text NOT NULL,
    reason text NOT NULL
);
ALTER TABLE public.refusal ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.refusal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.token (
    id bigint NOT NULL,
    account_id text NOT NULL,
    kind text NOT NULL,
    value_hash text NOT NULL,
    value_sealed text NOT NULL,
    label text NOT NULL COLLATE pg_catalog."C",
    subscribe_requires_auth integer NOT NULL,
    is_active integer NOT NULL,
    added_on bigint NOT NULL,
    expires_on bigint,
    revision bigint NOT NULL,
    allowed_origins text DEFAULT '[]'::text NOT NULL,
    allowed_addresses text DEFAULT '[]'::text NOT NULL,
    bind_ips_on_usage integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.token_bound_ip (
    token_id bigint NOT NULL,
    address text NOT NULL,
    "position" integer NOT NULL,
    bound_on bigint NOT NULL
);
CREATE TABLE public.token_create (
    account_id text NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    answer_sealed text NOT NULL,
    created_on bigint NOT NULL
);
ALTER TABLE public.token ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.token_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.token_stream (
    token_id bigint NOT NULL,
    "position" integer NOT NULL,
    stream_name text NOT NULL,
    is_regex integer NOT NULL
);
INSERT INTO public.account VALUES ('acme', 1700000000000);
INSERT INTO public.api_secret VALUES ('acme', 'aa', 1700000000001);
INSERT INTO public.audit OVERRIDING SYSTEM VALUE VALUES (1, 'acme', 1700000000005, 'cli', NULL, 'token_created', 'publish_token', '1', NULL, '{}');
INSERT INTO public.kysely_migration VALUES ('0001_accounts_and_tokens', '2026-01-01T00:00:00.000Z');
INSERT INTO public.kysely_migration VALUES ('0002_token_restrictions', '2026-01-01T00:00:00.000Z');
INSERT INTO public.kysely_migration VALUES ('0003_oversight', '2026-01-01T00:00:00.000Z');
INSERT INTO public.kysely_migration_lock VALUES ('migration_lock', 0);
INSERT INTO public.refusal OVERRIDING SYSTEM VALUE VALUES (1, 'acme', 1700000000006, 'subscribe', 2, 'main', NULL, '192.0.2.9', 'token_disabled');
INSERT INTO public.token OVERRIDING SYSTEM VALUE VALUES (1, 'acme', 'publish', 'hash-1', 'sealed-1', 'stage', 1, 1, 1700000000002, NULL, 3, '["example.com"]', '[]', 2);
INSERT INTO public.token OVERRIDING SYSTEM VALUE VALUES (2, 'acme', 'subscribe', 'hash-2', 'sealed-2', 'door', 0, 0, 1700000000003, 1800000000000, 1, '[]', '[]', 0);
INSERT INTO public.token_bound_ip VALUES (1, '192.0.2.1', 0, 1700000000004);
INSERT INTO public.token_stream VALUES (1, 0, 'main', 0);
INSERT INTO public.token_stream VALUES (2, 0, 'ma.*', 1);
SELECT pg_catalog.setval('public.audit_id_seq', 1, true);
SELECT pg_catalog.setval('public.refusal_id_seq', 1, true);
SELECT pg_catalog.setval('public.token_id_seq', 2, true);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_secret
    ADD CONSTRAINT api_secret_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY public.api_secret
    ADD CONSTRAINT api_secret_secret_hash_key UNIQUE (secret_hash);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.dashboard_code
    ADD CONSTRAINT dashboard_code_pkey PRIMARY KEY (code_hash);
ALTER TABLE ONLY public.dashboard_session
    ADD CONSTRAINT dashboard_session_pkey PRIMARY KEY (session_hash);
ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.refusal
    ADD CONSTRAINT refusal_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.token_bound_ip
    ADD CONSTRAINT token_bound_ip_key PRIMARY KEY (token_id, address);
ALTER TABLE ONLY public.token_create
    ADD CONSTRAINT token_create_key PRIMARY KEY (account_id, kind, key);
ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.token_stream
    ADD CONSTRAINT token_stream_key PRIMARY KEY (token_id, "position");
ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_value_hash_key UNIQUE (value_hash);
CREATE INDEX audit_by_account ON public.audit USING btree (account_id, id);
CREATE INDEX audit_by_time ON public.audit USING btree ("time");
CREATE INDEX refusal_by_account ON public.refusal USING btree (account_id, id);
CREATE INDEX refusal_by_time ON public.refusal USING btree ("time");
CREATE INDEX token_by_age ON public.token USING btree (account_id, kind, added_on, id);
CREATE INDEX token_by_label ON public.token USING btree (account_id, kind, label, id);
CREATE INDEX token_create_by_age ON public.token_create USING btree (created_on);
CREATE INDEX token_stream_by_name ON public.token_stream USING btree (stream_name, token_id);
CREATE TRIGGER streamgate_token_changed AFTER INSERT OR DELETE OR UPDATE OF value_hash ON public.token FOR EACH ROW EXECUTE FUNCTION public.streamgate_token_changed();
ALTER TABLE ONLY public.api_secret
    ADD CONSTRAINT api_secret_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.dashboard_code
    ADD CONSTRAINT dashboard_code_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.dashboard_session
    ADD CONSTRAINT dashboard_session_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.refusal
    ADD CONSTRAINT refusal_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.token_bound_ip
    ADD CONSTRAINT token_bound_ip_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.token(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.token_create
    ADD CONSTRAINT token_create_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.token_stream
    ADD CONSTRAINT token_stream_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.token(id) ON DELETE CASCADE;
