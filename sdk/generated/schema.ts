// Generated from api/openapi/openapi.json by `npm run openapi`. Do not edit.

export interface paths {
    "/api/v1/statement-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys that sign statements about the ledger, the current one first
         * @description Needs no sign-in.
         */
        get: operations["listStatementKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the profile of the signed-in user
         * @description Also works for people who may not use the service yet, or no longer; `code` then says why.
         *
         *     For all who are signed in.
         */
        get: operations["showProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Choose the language of the signed-in user
         * @description Mails come in it. Until it is chosen, it is the one in which the person signed in first.
         *
         *     For all who are signed in.
         */
        patch: operations["updateProfile"];
        trace?: never;
    };
    "/api/v1/auth/me/application": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Say of which shop one asks to become the merchant
         * @description For a client who waits for approval: administrators decide by it. It can be sent again, and takes the place of what was said before. `shopName` becomes the name of the shop.
         *
         *     For all who are signed in.
         */
        put: operations["sendApplication"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show of what the signed-in person is told by mail
         * @description What concerns another role than theirs does nothing.
         *
         *     Roles: `consumer`, `client`, `pos_operator`, `admin`.
         */
        get: operations["showNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change of what the signed-in person is told by mail
         * @description What is left out stays. Codes, and what concerns security, are always mailed.
         *
         *     Roles: `consumer`, `client`, `pos_operator`, `admin`.
         */
        patch: operations["changeNotices"];
        trace?: never;
    };
    "/api/v1/notices/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the link in a mail that switches such mails off
         * @description Leads to the page that asks whether to. Nothing changes.
         *
         *     Needs no sign-in.
         */
        get: operations["openStopLink"];
        put?: never;
        /**
         * Switch off the mails of the kind in which a link was
         * @description Needs no sign-in, and takes any body: mail programs send it by themselves (RFC 8058). Repeated, it changes nothing.
         *
         *     Needs no sign-in.
         */
        post: operations["stopNotices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me/push-subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a browser told of points and of codes
         * @description Takes what `PushManager.subscribe` made with the `pushKey` of `GET /auth/me/notices`. The browser is told of the points that its person chose to be told of, and of codes that were used; what it was for before ends. A person may have ten, of which the oldest goes.
         *
         *     Roles: `consumer`, `client`, `pos_operator`, `admin`.
         */
        post: operations["addPushSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me/push-subscriptions/{pushSubscriptionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Have a browser told of nothing any more
         * @description Roles: `consumer`, `client`, `pos_operator`, `admin`.
         */
        delete: operations["removePushSubscription"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/invites/{inviteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one of one’s own invites, whatever became of it
         * @description An invite to the verified e-mail of the person, or one that they accepted, also by their first sign-in. Another person’s is not found.
         *
         *     Roles: `consumer`, `pos_operator`.
         */
        get: operations["showInvite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/invites/{inviteId}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invite to work at a till
         * @description An active consumer or operator with the invited e-mail, verified, works at that shop from here on. Accepting it again changes nothing. An invite that was withdrawn or declined, or has lapsed, is not found.
         *
         *     Roles: `consumer`, `pos_operator`.
         */
        post: operations["acceptInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/invites/{inviteId}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline an invite to work at a till
         * @description Nothing of the person changes. Declining it again changes nothing.
         *
         *     Roles: `consumer`, `pos_operator`.
         */
        post: operations["declineInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your wallets, one for each tenant
         * @description Roles: `consumer`, `pos_operator` (permission `WALLET_VIEW_OWN`).
         */
        get: operations["listWallets"];
        put?: never;
        /**
         * Join a shop: open a wallet there before the first purchase
         * @description Somebody whose e-mail or phone is verified, by which purchases are recognised. A shop that is suspended takes nobody in.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_VIEW_OWN`).
         */
        post: operations["joinShop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/shops/{tenantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a shop that you may join
         * @description What the page says to which the link on a shop’s poster leads.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_VIEW_OWN`).
         */
        get: operations["showJoinableShop"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/member": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show your member number
         * @description By it staff recognise you at the till of any shop. It is made when it is first read.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_VIEW_OWN`).
         */
        get: operations["showMemberCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/member/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace your member number
         * @description The one before ends at once. At most 5 times in 24 hours.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_VIEW_OWN`).
         */
        post: operations["rotateMemberNumber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/wallets/{walletId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one of your wallets
         * @description Roles: `consumer`, `pos_operator` (permission `WALLET_VIEW_OWN`).
         */
        get: operations["showWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/wallets/{walletId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ledger entries of one of your wallets, newest first
         * @description Roles: `consumer`, `pos_operator` (permission `WALLET_HISTORY_OWN`).
         */
        get: operations["listWalletHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/wallets/{walletId}/history/{entryId}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain a ledger entry of one of your wallets
         * @description Roles: `consumer`, `pos_operator` (permission `WALLET_HISTORY_OWN`).
         */
        get: operations["explainHistoryEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download what is held about you
         * @description In one file, for any program. At most 3 times in 24 hours, and one at a time. It is sent as it is read: if the connection breaks, the file is not complete. Sales that earned nothing at a shop where you have no wallet are not in it.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_HISTORY_OWN`).
         */
        get: operations["exportOwnData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show when you will be erased
         * @description Roles: `consumer`, `pos_operator` (permission `WALLET_VIEW_OWN`).
         */
        get: operations["showErasure"];
        put?: never;
        /**
         * Have everything erased that says who you are
         * @description It begins in 72 hours, and can be withdrawn until then: verified addresses are told at once. Your points and codes end with it, at all shops. Whoever works at a till, or did in the last 90 days, asks support.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_VIEW_OWN`).
         */
        post: operations["requestErasure"];
        /**
         * Withdraw your erasure, until it begins
         * @description Also one that an administrator asked for. Verified addresses are told.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_VIEW_OWN`).
         */
        delete: operations["withdrawErasure"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/wallets/{walletId}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a proof of the history of one of your wallets
         * @description The entries of the wallet, the last of them that a signed statement names, and the statements since then. Keep it: `npm run ops -- check-proof` verifies it without this service, and compares it with a later one. Entries after the statement are not signed yet. Refused if more than 20,000 statements have followed it.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_HISTORY_OWN`).
         */
        get: operations["proveWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/wallets/{walletId}/programme": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what governs the points of one of your wallets
         * @description Of a shop that has published no programme: points are valid for ever, none wait.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_VIEW_OWN`).
         */
        get: operations["showWalletProgramme"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/wallets/{walletId}/rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a shop offers for points, by price
         * @description Also what is sold out, but not what has ended.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_VIEW_OWN`).
         */
        get: operations["listWalletRewards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/wallets/{walletId}/rewards/{rewardId}/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem points for a reward
         * @description A redemption as any other: it debits the price and issues a code for one use within 15 minutes. The least balance and the share of the rule do not apply. Of the last one, one customer gets it; a code that ends unused puts it back.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_REDEEM`).
         */
        post: operations["redeemReward"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/wallets/{walletId}/validity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show until when the points of one of your wallets can be used
         * @description What is spent is taken from what expires soonest, so that this changes with each entry. It adds up to the balance.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_VIEW_OWN`).
         */
        get: operations["showWalletValidity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/wallets/{walletId}/redeem/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a redemption of points
         * @description Returns or refuses what a confirmation would at this moment, and changes nothing.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_REDEEM`).
         */
        post: operations["previewRedemption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/wallets/{walletId}/redeem/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem points for a code
         * @description Debits the wallet and issues a code for one use within 15 minutes, which is also mailed. The points of a code that expires unused are credited back.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_REDEEM`).
         */
        post: operations["confirmRedemption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/redemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your redemptions, newest first
         * @description Of all your wallets, or of one. Of a wallet that is not yours there are none.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_HISTORY_OWN`).
         */
        get: operations["listRedemptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/redemptions/{redemptionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one of your redemptions
         * @description Roles: `consumer`, `pos_operator` (permission `WALLET_HISTORY_OWN`).
         */
        get: operations["showRedemption"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/redemptions/{redemptionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel one of your redemptions
         * @description Its code cannot be used any more, and its points return to the wallet at once. Refused with `code_used`, `code_expired` or `code_cancelled` once the code is closed. If a till completes the code at the same moment, one of both succeeds.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_REDEEM`).
         */
        post: operations["cancelRedemption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consumer/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow your wallets and redemptions as they change
         * @description Sends a wallet when its balance, debt or status has changed, and a redemption when its code was issued, used or cancelled, or has expired. Server-Sent Events, which go on until the token expires; open them with `fetch`, which can send a token. Nothing is sent for the present state: open the stream first, then read the list. When it breaks, open it again with the last `id` as `Last-Event-ID`: within ten minutes you get what has changed since, each resource in its present state; otherwise `reset`, which says to read the list again. A state may be sent twice. A comment every 20 seconds keeps the connection open. At most ten streams of a user.
         *
         *     Roles: `consumer`, `pos_operator` (permission `WALLET_VIEW_OWN`).
         */
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/bootstrap-merchant-workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the merchant workspace if it is missing
         * @description Creates the tenant of a client who has none. Later requests return the same one.
         *
         *     Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        post: operations["bootstrapWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the tenant with its connection, its reward rule and its counts
         * @description Roles: `client` (permission `TENANT_VIEW`).
         */
        get: operations["showTenant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/onboarding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the onboarding profile
         * @description Keys are merged one by one, also those of `profile`: a key that is not sent stays, and null removes a key. `businessName` and `country` also become those of the tenant. So does `currency` while the tenant has none; later another one is refused (`currency_set`), and nothing of the request is taken. A point is worth one minor unit of it.
         *
         *     Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        patch: operations["updateOnboarding"];
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/branding/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload the logo of the tenant
         * @description A PNG, JPEG, WebP or GIF picture of at most 16 million pixels. It is stored as WebP of at most 512 pixels per side. The previous logo is deleted. A process takes two uploads at a time; 429 for more.
         *
         *     Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        post: operations["uploadLogo"];
        /**
         * Remove the logo of the tenant
         * @description Without a logo, nothing changes.
         *
         *     Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        delete: operations["removeLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/branding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the color of the tenant
         * @description Wallets, codes and mails of the shop have it. Null removes it.
         *
         *     Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        patch: operations["updateBranding"];
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/pos-connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the connections to providers, newest first
         * @description Roles: `client` (permission `TENANT_VIEW`).
         */
        get: operations["listPosConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/pos-connections/alpha/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start to connect an account of alpha
         * @description Send the browser to the returned address within ten minutes. It comes back to `/pos` of the frontend. Where the service binds connecting to a browser, the response sets a cookie without which that return is `invalid_state`: call with `credentials: "include"`. 503 while the service has no app at that provider; the message names the missing configuration.
         *
         *     Roles: `client` (permission `TENANT_POS_CONNECT`).
         */
        post: operations["connectAlpha"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/pos-connections/beta/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start to connect an account of beta
         * @description Send the browser to the returned address within ten minutes. It comes back to `/pos` of the frontend. Where the service binds connecting to a browser, the response sets a cookie without which that return is `invalid_state`: call with `credentials: "include"`. 503 while the service has no app at that provider; the message names the missing configuration.
         *
         *     Roles: `client` (permission `TENANT_POS_CONNECT`).
         */
        post: operations["connectBeta"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/pos-connections/{connectionId}/truth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare each day's sales with the provider's own list
         * @description Each night the day before is compared, from half past four on the shop's clocks; 400 days are kept. A day that is not listed was not compared yet, or is from before the account was connected.
         *
         *     Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["listTruthDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/pos-connections/{connectionId}/truth/{day}/repair": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring in the sales of a day that are missing
         * @description The day is compared with the list of the provider at once, and each sale that is missing, or has another refund, is brought in. It earns by the rule that is in effect now. Today and the 30 days before can be asked for; asking again brings in nothing twice.
         *
         *     Roles: `client` (permission `TENANT_POS_CONNECT`).
         */
        post: operations["repairDay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/pos-connections/{connectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Disconnect an account of a provider
         * @description Payments are no longer ingested, and the access is revoked where the provider supports it. The record stays, for connecting again. Disconnecting again changes nothing.
         *
         *     Roles: `client` (permission `TENANT_POS_CONNECT`).
         */
        delete: operations["disconnectPos"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/reward-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the reward rules of the tenant, newest first
         * @description The highest version is the active one. A rule with a future date is `scheduled`; until then the one `in_effect` applies.
         *
         *     Roles: `client` (permission `TENANT_VIEW`).
         */
        get: operations["listRewardRules"];
        put?: never;
        /**
         * Publish a reward rule
         * @description It becomes the next version and the active one. Earlier versions do not change: one that is scheduled for a later date than this one never takes effect.
         *
         *     Roles: `client` (permission `TENANT_REWARD_CONFIG`).
         */
        post: operations["publishRewardRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/programme": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of the programme of the tenant, newest first
         * @description Each governs from `publishedAt` on; the highest one is active.
         *
         *     Roles: `client` (permission `TENANT_VIEW`).
         */
        get: operations["listProgrammeVersions"];
        put?: never;
        /**
         * Publish a version of the programme
         * @description Each is complete: what is left out has its default. It governs at once, and changes nothing of sales made before. The first one sets the time zone of the shop, which is needed where its country has several times (`time_zone_required`) and stays (`time_zone_set`).
         *
         *     Roles: `client` (permission `TENANT_REWARD_CONFIG`).
         */
        post: operations["publishProgramme"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the campaigns of the tenant, newest first
         * @description Roles: `client` (permission `TENANT_VIEW`).
         */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Publish a campaign
         * @description It gives more points for the sales that it names, decided from now on. Its terms never change: end it and publish another one. One with `days` or `hours` goes by the clocks of the shop, and sets them as a programme does (`time_zone_required`). Twenty may be open.
         *
         *     Roles: `client` (permission `TENANT_REWARD_CONFIG`).
         */
        post: operations["publishCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/campaigns/{campaignId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a campaign, with what it has given
         * @description Roles: `client` (permission `TENANT_VIEW`).
         */
        get: operations["showCampaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/campaigns/{campaignId}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a campaign
         * @description Sales from now on get nothing of it; those of before that arrive late still do. Repeating it changes nothing.
         *
         *     Roles: `client` (permission `TENANT_REWARD_CONFIG`).
         */
        post: operations["endCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rewards of the tenant, newest first
         * @description Roles: `client` (permission `TENANT_VIEW`).
         */
        get: operations["listRewards"];
        put?: never;
        /**
         * Publish a reward
         * @description Customers get it for points, by a code as any other. Its terms and its stock never change: end it and publish another one. Fifty may be open.
         *
         *     Roles: `client` (permission `TENANT_REWARD_CONFIG`).
         */
        post: operations["publishReward"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/rewards/{rewardId}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a reward
         * @description Codes that customers have for it can still be used. Repeating it changes nothing.
         *
         *     Roles: `client` (permission `TENANT_REWARD_CONFIG`).
         */
        post: operations["endReward"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/rehearsals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rehearsals of the tenant, newest first
         * @description Those of the last 90 days, without what came out of them.
         *
         *     Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["listRehearsals"];
        put?: never;
        /**
         * Rehearse a rule over sales of the past
         * @description Each sale of the last days is decided once more by the draft, and nothing is moved: ask for the rehearsal until it is done, mostly within seconds. One runs at a time, and four may be begun in 24 hours.
         *
         *     Roles: `client` (permission `TENANT_REWARD_CONFIG`).
         */
        post: operations["beginRehearsal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/rehearsals/{rehearsalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what a rehearsal found
         * @description While it runs, and when it has failed, only what was to be rehearsed.
         *
         *     Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["showRehearsal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the imports of the tenant, newest first
         * @description Roles: `client` (permission `TENANT_REWARD_CONFIG`).
         */
        get: operations["listImports"];
        put?: never;
        /**
         * Upload members with their points of before
         * @description Nothing is moved until an administrator approves it. Lines with mistakes are left out and listed. Of contacts only fingerprints are kept. Ten files can be uploaded in 24 hours.
         *
         *     Roles: `client` (permission `TENANT_REWARD_CONFIG`).
         */
        post: operations["uploadImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an import, and how far it is
         * @description Roles: `client` (permission `TENANT_REWARD_CONFIG`).
         */
        get: operations["showImport"];
        put?: never;
        post?: never;
        /**
         * Withdraw an import that is not approved yet
         * @description Its rows are deleted. Repeating it changes nothing.
         *
         *     Roles: `client` (permission `TENANT_REWARD_CONFIG`).
         */
        delete: operations["withdrawImport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/store-operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the store operators of the tenant, newest first
         * @description Roles: `client` (permission `TENANT_TEAM_INVITE`).
         */
        get: operations["listStoreOperators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/store-operators/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a store operator
         * @description An operator of no other tenant becomes a consumer again. A pending invite of the person is withdrawn as well. Removing the same person again changes nothing.
         *
         *     Roles: `client` (permission `TENANT_TEAM_INVITE`).
         */
        delete: operations["removeStoreOperator"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sales that were attached to customers, those attached last first
         * @description Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["listAttachments"];
        put?: never;
        /**
         * Attach an anonymous sale of the last 30 days to a customer, by the member number
         * @description Also where staff may not do so at the till. It earns by the rule in effect now, less what was refunded; an adjustment takes it back.
         *
         *     Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        post: operations["attachSaleByMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/store-operator-invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pending invites of the tenant, newest first
         * @description Roles: `client` (permission `TENANT_TEAM_INVITE`).
         */
        get: operations["listStoreOperatorInvites"];
        put?: never;
        /**
         * Invite a store operator by e-mail
         * @description Somebody without an account accepts with the first sign-in, if the e-mail is verified and the invite the only one. Everybody else finds it in `GET /auth/me`, to accept or decline. It lapses after 30 days. Inviting a person whose invite is pending returns that invite. An address gets one mail from a shop in 24 hours.
         *
         *     Roles: `client` (permission `TENANT_TEAM_INVITE`).
         */
        post: operations["inviteStoreOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/store-operator-invites/{inviteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw a pending invite
         * @description Withdrawing it again changes nothing. An invite that was decided or has lapsed is not found.
         *
         *     Roles: `client` (permission `TENANT_TEAM_INVITE`).
         */
        delete: operations["withdrawStoreOperatorInvite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ingested payments of the tenant, newest first
         * @description Filters narrow the list down together. Without one, the payments that were stored last come first; with one, those that occurred last. With `Accept: text/csv` the response is all of them as CSV, whatever `limit` and `cursor` say: the columns are the fields, in their order, or with `columns=named` those for spreadsheets: names of the language that `Accept-Language` prefers, local times, amounts with decimals, a byte order mark, and in German `;` between cells. An apostrophe is before a text that a spreadsheet would take for a formula. One such request, or one for statistics, is served at a time.
         *
         *     Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/transactions/{transactionId}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain what a payment earned, or why it earned nothing
         * @description In words, and as the decision recorded when the payment was ingested.
         *
         *     Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["explainTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/redemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the redemptions of the tenant, newest first
         * @description Filters narrow the list down together. With `Accept: text/csv`, all of them as CSV, as with transactions.
         *
         *     Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["listTenantRedemptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show sales and points by day, week or month, and the outstanding points
         * @description Days, weeks, which begin on Monday, and months begin at midnight in `timeZone`, so that a day on which its clocks change has 23 or 25 hours; the first and the last interval are cut at `from` and `to`. At most 400 intervals. Sales and what they earned are those of the list of transactions with the same times. `before` has the sums of the same time as many days earlier, where `to` is in the future until the same time of the day; `today` is of the present day, whatever is asked for. One such request, or one for CSV, is served at a time.
         *
         *     Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["showStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/day": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what was done at the tills of the tenant on a day, by person
         * @description For each person the codes they completed from `from` until before `to`, what these took off, and the sales that they attached; `totals` adds up all of them.
         *
         *     Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["showShopDay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/liability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what the tenant owed its consumers in points after a month
         * @description It is counted when a month has ended and its points have expired, and stays as it was then. NOT_FOUND while no month has been counted to its end, for one that was skipped, and for one by which nothing could be due, since nothing is counted then.
         *
         *     Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["showLiability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/consumers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the consumers of the tenant, newest wallet first
         * @description With `Accept: text/csv`, all of them as CSV, as with transactions.
         *
         *     Roles: `client` (permission `TENANT_CONSUMER_VIEW`).
         */
        get: operations["listConsumers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/consumers/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a consumer of the tenant with wallet, latest transactions and redemptions
         * @description A consumer has a wallet at the tenant; anybody else is not found.
         *
         *     Roles: `client` (permission `TENANT_CONSUMER_VIEW`).
         */
        get: operations["showConsumer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find a customer, a sale or a code by what somebody says
         * @description A whole e-mail, phone or member number, a code, an amount such as `12.50`, or the id of a payment at its provider: exactly, twenty of each at most. Whoever is no consumer of the tenant is not found. Contacts and codes that are unknown count as unknown codes.
         *
         *     Roles: `client` (permission `TENANT_CONSUMER_VIEW`).
         */
        post: operations["searchShop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a payment
         * @description Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["showTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/redemptions/{redemptionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a redemption of the tenant
         * @description Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["showTenantRedemption"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/consumers/{userId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what moved the points of a consumer at the tenant, newest first
         * @description Roles: `client` (permission `TENANT_CONSUMER_VIEW`).
         */
        get: operations["listConsumerHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/redemptions/{redemptionId}/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the mail with an open code again
         * @description To the address that its consumer has verified now, which is not shown. Three times a code, and not within a minute of the last mail.
         *
         *     Roles: `client` (permission `TENANT_CONSUMER_VIEW`).
         */
        post: operations["resendCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/consumers/{userId}/goodwill-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for points for a customer
         * @description Nothing is moved until an administrator grants it, by an adjustment. One request for a customer waits at a time, and twenty of the shop.
         *
         *     Roles: `client` (permission `TENANT_REWARD_CONFIG`).
         */
        post: operations["askForGoodwill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/goodwill-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the points that were asked for, newest first
         * @description Roles: `client` (permission `TENANT_CONSUMER_VIEW`).
         */
        get: operations["listGoodwill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/goodwill-requests/{goodwillId}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw a request for points
         * @description Repeating it changes nothing.
         *
         *     Roles: `client` (permission `TENANT_REWARD_CONFIG`).
         */
        post: operations["withdrawGoodwill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/totals/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum up the list of payments by the same filters
         * @description Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["sumTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/totals/redemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum up the list of redemptions by the same filters
         * @description Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["sumTenantRedemptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/totals/consumers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the list of consumers by the same filters, and sum up their points
         * @description Roles: `client` (permission `TENANT_CONSUMER_VIEW`).
         */
        get: operations["sumConsumers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was done in the tenant, newest first
         * @description What its own people did, and what administrators and operators of the service did there. Filters narrow the list down together. With `Accept: text/csv`, all of them as CSV, as with transactions.
         *
         *     Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        get: operations["listTenantAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/debug/alpha": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the configuration of alpha, without its secrets
         * @description The provider's dashboard must contain the redirect and webhook addresses exactly as shown.
         *
         *     Roles: `client` (permission `TENANT_VIEW`).
         */
        get: operations["showAlphaSetup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the addresses that get events, oldest first
         * @description Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Have events sent to an address
         * @description Each event from now on is sent by POST, signed as the Standard Webhooks specification says, at least once and in no promised order: `webhook-id` stays the same. An answer of 2xx within 10 seconds takes it; else it is sent again for about three days. A shop may have ten.
         *
         *     Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an address that gets events
         * @description Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        get: operations["showWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Have no more events sent to an address
         * @description Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an address that gets events, or disable it
         * @description While it is disabled nothing is sent. When it is active again, it gets what has happened meanwhile, up to 30 days.
         *
         *     Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an address a new secret
         * @description The one before signs beside it for 24 hours, with a signature of its own.
         *
         *     Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to an address
         * @description One message of type `endpoint.test` with `data: {endpointId}`, once and soon, whatever types the address asks for and also while it is disabled. It is in no list.
         *
         *     Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was sent to an address, newest first
         * @description One for each event of the last 30 days, with what came of the last attempt.
         *
         *     Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event to an address again
         * @description The same id and body, now, whatever came of it before.
         *
         *     Roles: `client` (permission `TENANT_PROFILE_UPDATE`).
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client/tenants/{tenantId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of the last 30 days, oldest first
         * @description The same events that endpoints get, from the first endpoint on. An event is listed once no other can come before it: who asks again after the last one misses none.
         *
         *     Roles: `client` (permission `TENANT_ANALYTICS_VIEW`).
         */
        get: operations["listTenantEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pos/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the shop of the operator
         * @description Of several shops the one that `X-Tenant-Id` names, else the one that the operator joined first. `memberships` lists all of them, in that order.
         *
         *     Roles: `pos_operator` (permission `REDEMPTION_VERIFY`).
         */
        get: operations["showOperatorContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pos/redemptions/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up a redemption code without using it
         * @description Roles: `pos_operator` (permission `REDEMPTION_VERIFY`).
         */
        post: operations["lookupRedemption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pos/members/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up a customer by the member number
         * @description For shops whose programme lets staff attach a sale to a customer. An unknown number counts as an unknown code.
         *
         *     Roles: `pos_operator` (permission `REDEMPTION_VERIFY`).
         */
        post: operations["lookupMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pos/anonymous-sales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the sale of a receipt that named no customer
         * @description At most three sales of the last 24 hours, from two minutes before that minute to two after it. One that finds nothing counts as an unknown code.
         *
         *     Roles: `pos_operator` (permission `REDEMPTION_VERIFY`).
         */
        get: operations["findAnonymousSales"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pos/anonymous-sales/{transactionId}/attach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach a sale of the last 24 hours to a customer, by the member number
         * @description It earns by the rule in effect now, less what was refunded. The same member again gets the same answer, and nothing twice.
         *
         *     Roles: `pos_operator` (permission `REDEMPTION_VERIFY`).
         */
        post: operations["attachSaleAtTill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pos/redemptions/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use a redemption code
         * @description Of several requests for one code at the same time, exactly one succeeds.
         *
         *     Roles: `pos_operator` (permission `REDEMPTION_VERIFY`).
         */
        post: operations["completeRedemption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pos/redemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the codes that the shop has used, last used first
         * @description By all its tills and operators. By default of the last 24 hours.
         *
         *     Roles: `pos_operator` (permission `REDEMPTION_VERIFY`).
         */
        get: operations["listUsedRedemptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pos/day": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what was done at the tills of the shop on a day, by person
         * @description For each person the codes they completed from `from` until before `to`, what these took off, and the sales that they attached; `totals` adds up all of them.
         *
         *     Roles: `pos_operator` (permission `REDEMPTION_VERIFY`).
         */
        get: operations["showTillDay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pos/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the codes that are used in the shop
         * @description Sends a redemption when its code was used at any till. Server-Sent Events, which go on until the token expires; open them with `fetch`, which can send a token. Nothing is sent for the present state: open the stream first, then read the list. When it breaks, open it again with the last `id` as `Last-Event-ID`: within ten minutes you get what has changed since, each resource in its present state; otherwise `reset`, which says to read the list again. A state may be sent twice. A comment every 20 seconds keeps the connection open. At most ten streams of a user.
         *
         *     Roles: `pos_operator` (permission `REDEMPTION_VERIFY`).
         */
        get: operations["followShopEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pos/membership/{tenantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Stop working at a shop
         * @description An operator of no other shop becomes a consumer again. Leaving the same shop again changes nothing. A shop that one never worked at is not found.
         *
         *     Roles: `consumer`, `pos_operator`.
         */
        delete: operations["leaveShop"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what is wrong with the service, and at which tenants
         * @description At most 20 tenants are named of each kind.
         *
         *     Roles: `admin` (permission `ADMIN_TENANTS_VIEW_ALL`).
         */
        get: operations["showServiceHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all tenants: those that need attention first, then the newest
         * @description Roles: `admin` (permission `ADMIN_TENANTS_VIEW_ALL`).
         */
        get: operations["listTenants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/tenants/{tenantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a tenant with its owner, its latest payment and its latest error
         * @description Roles: `admin` (permission `ADMIN_TENANTS_VIEW_ALL`).
         */
        get: operations["showTenantDetail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the wallets of a user, one for each tenant
         * @description Oldest first. An unknown user has none.
         *
         *     Roles: `admin` (permission `ADMIN_TENANTS_VIEW_ALL`).
         */
        get: operations["listUserWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/wallets/{walletId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a wallet of any user
         * @description Roles: `admin` (permission `ADMIN_TENANTS_VIEW_ALL`).
         */
        get: operations["showUserWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/wallets/{walletId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ledger entries of a wallet, newest first
         * @description Roles: `admin` (permission `ADMIN_TENANTS_VIEW_ALL`).
         */
        get: operations["listUserWalletHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/wallets/{walletId}/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Freeze a wallet
         * @description No points can be redeemed from it until it is unfrozen, and its open codes are cancelled: their points return. Payments still credit it. A frozen wallet stays frozen. Each call is in the audit log.
         *
         *     Roles: `admin` (permission `ADMIN_WALLET_FREEZE`).
         */
        post: operations["freezeWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/wallets/{walletId}/unfreeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unfreeze a wallet
         * @description No code comes back. A wallet that is not frozen stays active. Each call is in the audit log.
         *
         *     Roles: `admin` (permission `ADMIN_WALLET_FREEZE`).
         */
        post: operations["unfreezeWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/wallets/{walletId}/adjust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adjust the balance of a wallet by hand
         * @description Writes a ledger entry and an audit log entry that refer to each other. A frozen wallet can be adjusted too, but not one's own. Credits and debits of an administrator are each limited to a sum in 24 hours. A credit first pays what the wallet owes for refunds, so this is how such a debt is forgiven. Repeat a request only under the same Idempotency-Key, or the balance is adjusted twice.
         *
         *     Roles: `admin` (permission `ADMIN_WALLET_ADJUST`).
         */
        post: operations["adjustWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/goodwill-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the points that merchants ask for, the longest waiting first
         * @description Roles: `admin` (permission `ADMIN_WALLET_ADJUST`).
         */
        get: operations["listWaitingGoodwill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/goodwill-requests/{goodwillId}/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant points that a merchant asked for
         * @description Adjusts the wallet by these points, with the limits of an adjustment; its audit log entry names the request. It is answered once. Refused to whoever asked.
         *
         *     Roles: `admin` (permission `ADMIN_WALLET_ADJUST`).
         */
        post: operations["grantGoodwill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/goodwill-requests/{goodwillId}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline points that a merchant asked for
         * @description Roles: `admin` (permission `ADMIN_WALLET_ADJUST`).
         */
        post: operations["declineGoodwill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the imports of all shops, newest first
         * @description Roles: `admin` (permission `ADMIN_WALLET_ADJUST`).
         */
        get: operations["listAllImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/imports/{importId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve an import
         * @description Its rows are brought over within minutes: each is an adjustment of a wallet, which does not count to the limit of a day. Customers who have not signed up get theirs when they do. Repeat its sum of points. Refused to whoever uploaded it, works or worked at the shop, or is named in a row. Repeating it changes nothing.
         *
         *     Roles: `admin` (permission `ADMIN_WALLET_ADJUST`).
         */
        post: operations["approveImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/imports/{importId}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an import back
         * @description Within 24 hours of its approval. Rows that wait are dropped, and of the others the points are taken back as far as their wallets hold them: the rest is `notTaken`. Its customers can then be brought over anew. Repeating it changes nothing.
         *
         *     Roles: `admin` (permission `ADMIN_WALLET_ADJUST`).
         */
        post: operations["revertImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log, newest first
         * @description Filters narrow the list down together. With `Accept: text/csv`, all of them as CSV, as with transactions.
         *
         *     Roles: `admin` (permission `ADMIN_AUDIT_LOGS_VIEW`).
         */
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search users by part of their e-mail or phone
         * @description Case is ignored. Without `q`, lists users who wait for approval, the longest waiting first. Returns at most 50 users, those who wait for approval first. A text without three letters or digits in a row is only looked for among the newest ten thousand users. With `Accept: text/csv`, all of them as CSV, as with transactions.
         *
         *     Roles: `admin` (permission `ADMIN_USER_SEARCH`).
         */
        get: operations["searchUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find what an id or a code is of
         * @description Finds a redemption by its code or id, a transaction by its id or that of the payment at its provider, and what a request did by its correlation id, or the id that the service gave it. Only whole ids are found. Of payments that have one id at several providers or tenants, the twenty oldest are.
         *
         *     Roles: `admin` (permission `ADMIN_USER_SEARCH`).
         */
        get: operations["searchIds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a user with wallets and memberships
         * @description Roles: `admin` (permission `ADMIN_USER_SEARCH`).
         */
        get: operations["showUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Approve a pending user
         * @description A client without a workspace gets one, named as their application says, and is told by mail. The application is kept no longer. An active user is left unchanged; a suspended user is refused.
         *
         *     Roles: `admin` (permission `ADMIN_USER_MANAGE`).
         */
        patch: operations["approveUser"];
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set a user's role
         * @description A user who becomes a client then waits for approval, a suspended one too. Every other role leaves the status unchanged. An operator who gets another role works at no shop any more. The last active administrator stays one.
         *
         *     Roles: `admin` (permission `ADMIN_USER_MANAGE`).
         */
        patch: operations["setUserRole"];
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend a user
         * @description Every request of theirs is refused from now on, and their open codes are cancelled: the points return. A suspended user stays suspended. One's own account is refused, and so is the last active administrator.
         *
         *     Roles: `admin` (permission `ADMIN_USER_MANAGE`).
         */
        post: operations["suspendUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift the suspension of a user
         * @description The user has the status from before again, but no code of before. Any other user is left unchanged.
         *
         *     Roles: `admin` (permission `ADMIN_USER_MANAGE`).
         */
        post: operations["reinstateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{userId}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a person erased: everything that says who they are
         * @description It begins in 72 hours; until then the person, too, can withdraw it, and is told. Consumers and operators only. The points that they hold count to the limit of what an administrator may debit in 24 hours.
         *
         *     Roles: `admin` (permission `ADMIN_USER_MANAGE`).
         */
        post: operations["eraseUser"];
        /**
         * Withdraw the erasure of a person, until it begins
         * @description Also one that they asked for. They are told.
         *
         *     Roles: `admin` (permission `ADMIN_USER_MANAGE`).
         */
        delete: operations["withdrawErasureOf"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/tenants/{tenantId}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend a shop
         * @description Nobody earns or redeems points there from now on, its tills use no code, and its systems are told nothing. Open codes run out, and their points return. Refunds go on, and rules can be published. A suspended shop stays suspended.
         *
         *     Roles: `admin` (permission `ADMIN_USER_MANAGE`).
         */
        post: operations["suspendTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/tenants/{tenantId}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift the suspension of a shop
         * @description What was sold meanwhile is decided again within minutes, oldest first, by the rule in effect then, less what was refunded. A shop that was closed is refused; any other is left unchanged.
         *
         *     Roles: `admin` (permission `ADMIN_USER_MANAGE`).
         */
        post: operations["reinstateTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "points.credited": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of points.credited
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receivePointsCredited"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "points.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of points.reversed
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receivePointsReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "points.adjusted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of points.adjusted
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receivePointsAdjusted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "points.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of points.expired
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receivePointsExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "redemption.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of redemption.issued
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receiveRedemptionIssued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "redemption.used": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of redemption.used
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receiveRedemptionUsed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "redemption.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of redemption.expired
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receiveRedemptionExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of connection.active
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receiveConnectionActive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.lost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of connection.lost
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receiveConnectionLost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.gap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of connection.gap
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receiveConnectionGap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "operator.joined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of operator.joined
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receiveOperatorJoined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "rule.published": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of rule.published
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receiveRulePublished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tier.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of tier.changed
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receiveTierChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get told of endpoint.test
         * @description Signed as the Standard Webhooks specification says.
         */
        post: operations["receiveEndpointTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @enum {string} */
        EventType: "points.credited" | "points.reversed" | "points.adjusted" | "points.expired" | "redemption.issued" | "redemption.used" | "redemption.expired" | "connection.active" | "connection.lost" | "connection.gap" | "operator.joined" | "rule.published" | "tier.changed";
        /** @description The body of every error response. */
        Error: {
            /** @description The kind of error: UNAUTHORIZED, FORBIDDEN, INSUFFICIENT_ROLE, TENANT_NOT_FOUND, TENANT_FORBIDDEN, VALIDATION_ERROR, NOT_FOUND, IDEMPOTENCY_REPLAY, RULE_REJECTED, INSUFFICIENT_BALANCE, RATE_LIMITED, INTERNAL_ERROR; later others, too. */
            code: string;
            /** @description What happened and what to do, for a developer to read. */
            message: string;
            /** @description Quote it when you ask for help. */
            requestId: string;
            /** @description What exactly was refused: the fields that are not valid, or one rule. */
            issues?: components["schemas"]["Issue"][];
        };
        /** @description One problem of a request, by a code that stays the same. */
        Issue: {
            /** @description The field, dotted; empty for the request as a whole. */
            path: string;
            code: components["schemas"]["IssueCode"];
            /** @description What is wrong and what to do, for a developer to read. */
            message: string;
            /** @description The numbers, times and names that the refusal depends on, by name. */
            params?: {
                [key: string]: string | number | boolean | null;
            };
        };
        /**
         * @description - `unknown_field`: The request has no such field. Its name may be mistyped.
         *     - `required`: The field is missing.
         *     - `wrong_type`: The value has another type than the field.
         *     - `too_small`: The value is smaller, or shorter, than the field allows.
         *     - `too_big`: The value is larger, or longer, than the field allows.
         *     - `not_multiple_of`: The number has more decimals than the field allows.
         *     - `invalid_format`: The text does not have the form that the field needs.
         *     - `invalid_value`: The value is none of those that the field allows.
         *     - `invalid`: The value is not acceptable; the message says why.
         *     - `forbidden_key`: A key names a prototype.
         *     - `broken_text`: The text contains NUL or is not UTF-8.
         *     - `too_complex`: The structure has too many elements, or is nested too deeply.
         *     - `too_large`: The body is larger than the route accepts.
         *     - `invalid_json`: The body is not JSON.
         *     - `incomplete_body`: The body ended early.
         *     - `unsupported_media_type`: The body has another media type or encoding than the route accepts.
         *     - `method_not_allowed`: The address exists, but not with this method; see `Allow`.
         *     - `token_missing`: The request has no access token.
         *     - `token_invalid`: The access token is not acceptable; a new one may be.
         *     - `token_expired`: The access token has expired. A new one is needed.
         *     - `pending_approval`: The account waits for an administrator. A new token does not help.
         *     - `suspended`: The account is suspended. A new token does not help.
         *     - `wrong_client`: The app to which the token was issued may not do this.
         *     - `missing_scope`: The access token lacks the scope that this needs; the message names it.
         *     - `sign_in_again`: The sign-in is too old or too weak for an administrator. Ask for a new one.
         *     - `admin_email_required`: An administrator needs a verified e-mail address of their domain.
         *     - `no_rule`: The shop has no reward rule in effect.
         *     - `below_minimum_balance`: The balance is below what the rule requires for redeeming.
         *     - `above_maximum_share`: The rule allows fewer points at once: `params.max`.
         *     - `code_used`: The code was used, at `params.usedAt`.
         *     - `code_expired`: The code has expired, at `params.expiredAt`.
         *     - `code_cancelled`: The code was cancelled, and its points went back.
         *     - `own_code`: The code is the operator’s own. Somebody else has to complete it.
         *     - `shop_required`: The operator works at several shops. `X-Tenant-Id` has to name one of them.
         *     - `too_many_intervals`: The times span more than `params.max` intervals.
         *     - `too_many_rotations`: The member number was replaced too often today.
         *     - `too_many_exports`: An export is being made, or as many as a day may have were made.
         *     - `own_member`: The member number belongs to the person who attaches. Somebody else has to do it.
         *     - `sale_taken`: The sale has a customer already, or named one who has not signed up yet.
         *     - `sale_too_old`: The sale is longer ago than sales can be attached.
         *     - `member_limit`: Too many sales were attached to this member at the shop within a day.
         *     - `too_many_attachments`: The caller attached too many sales within an hour.
         *     - `till_attach_off`: The programme of the shop lets nobody attach a sale at the till.
         *     - `too_many_reports`: Another report of the shop, or too many of all, are being made.
         *     - `contact_unverified`: Neither e-mail nor phone is verified, so purchases are not recognised.
         *     - `import_changed`: The import has another sum of points: `params.points`.
         *     - `import_state`: The import is `params.status`, in which this cannot be done to it.
         *     - `goodwill_state`: The request is `params.status`: nothing can be done about it any more.
         *     - `goodwill_open`: Points were asked for this customer before, and nobody has answered yet.
         *     - `too_many_goodwill`: As many requests of the shop wait for an answer as may.
         *     - `mail_underway`: The mail with the code has not been sent yet, and needs no repetition.
         *     - `mailed_lately`: The code was mailed within the last minute.
         *     - `mailed_often`: The code was sent again as often as it may be.
         *     - `no_verified_email`: The customer has verified no e-mail address, so that nothing is mailed.
         *     - `too_many_imports`: The shop uploaded as many imports as it may within a day.
         *     - `too_many_sales`: More than `params.max` sales would have to be read.
         *     - `too_many_invites`: The shop has too many pending invites.
         *     - `too_many_endpoints`: The shop has as many endpoints of webhooks as it may have.
         *     - `address_not_public`: The address does not lead to a host of the public internet by https.
         *     - `insufficient_balance`: The wallet holds fewer points: `params.balance`.
         *     - `points_pending`: Only `params.available` points can be used yet; the next from `params.nextRelease` on.
         *     - `currency_set`: The shop has another currency: `params.currency`. Only support can change it.
         *     - `time_zone_required`: Whose clocks the shop goes by is not known: send `timeZone`.
         *     - `time_zone_set`: The shop has another time zone: `params.timeZone`. Only support can change it.
         *     - `too_generous`: What is given is worth more than what is asked for it.
         *     - `too_many_campaigns`: The shop has `params.max` campaigns that have not ended.
         *     - `too_many_rewards`: The shop has `params.max` rewards that have not ended.
         *     - `reward_ended`: The shop offers the reward no more.
         *     - `reward_limit`: The consumer has an open code for the reward.
         *     - `sold_out`: None of the reward is left.
         *     - `tenant_suspended`: The shop is suspended: nobody earns or redeems points there.
         *     - `wallet_frozen`: An administrator froze the wallet.
         *     - `own_wallet`: One may not adjust one’s own wallet, nor approve what one has asked for.
         *     - `own_account`: Administrators may not suspend or erase their own account.
         *     - `not_erasable`: Merchants and administrators keep their account; staff ask an administrator.
         *     - `erased`: The owner was erased: nothing changes there any more.
         *     - `last_admin`: The last active administrator has to stay one, and active.
         *     - `limit_per_day`: Of `params.limit` points that one may adjust in 24 hours, `params.left` are left.
         * @enum {string}
         */
        IssueCode: "unknown_field" | "required" | "wrong_type" | "too_small" | "too_big" | "not_multiple_of" | "invalid_format" | "invalid_value" | "invalid" | "forbidden_key" | "broken_text" | "too_complex" | "too_large" | "invalid_json" | "incomplete_body" | "unsupported_media_type" | "method_not_allowed" | "token_missing" | "token_invalid" | "token_expired" | "pending_approval" | "suspended" | "wrong_client" | "missing_scope" | "sign_in_again" | "admin_email_required" | "no_rule" | "below_minimum_balance" | "above_maximum_share" | "code_used" | "code_expired" | "code_cancelled" | "own_code" | "shop_required" | "too_many_intervals" | "too_many_rotations" | "too_many_exports" | "own_member" | "sale_taken" | "sale_too_old" | "member_limit" | "too_many_attachments" | "till_attach_off" | "too_many_reports" | "contact_unverified" | "import_changed" | "import_state" | "goodwill_state" | "goodwill_open" | "too_many_goodwill" | "mail_underway" | "mailed_lately" | "mailed_often" | "no_verified_email" | "too_many_imports" | "too_many_sales" | "too_many_invites" | "too_many_endpoints" | "address_not_public" | "insufficient_balance" | "points_pending" | "currency_set" | "time_zone_required" | "time_zone_set" | "too_generous" | "too_many_campaigns" | "too_many_rewards" | "reward_ended" | "reward_limit" | "sold_out" | "tenant_suspended" | "wallet_frozen" | "own_wallet" | "own_account" | "not_erasable" | "erased" | "last_admin" | "limit_per_day";
        UserProfile: {
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
            /**
             * @description What the person is in the service.
             * @enum {string}
             */
            role: "consumer" | "client" | "pos_operator" | "admin";
            /** @description Shops: those that a merchant or operator works for, a consumer’s with a wallet. */
            tenantIds: string[];
            /**
             * @description Only active people may use more than this.
             * @enum {string}
             */
            status: "active" | "pending_approval" | "suspended";
            /** @description Whether anything but this may be asked for. */
            canUseApp: boolean;
            /** @description Whether an active merchant has no shop yet, or one without a business name. */
            needsMerchantOnboarding: boolean;
            /** @description Empty when the access token has none. */
            email: string;
            /** @description Whether the identity provider has verified it. */
            emailVerified: boolean;
            /** @description The phone number, as E.164. */
            phone: string | null;
            /** @description Whether the identity provider has verified it. */
            phoneVerified: boolean;
            /** @description In which mails are written. Null, for English, until it is known or chosen. */
            language: ("en" | "de") | null;
            /** @description Whether earlier purchases with these contacts are still being looked for. */
            isMatching: boolean;
            /** @description Shops that ask an active consumer or operator to work at their till. */
            pendingInvites: components["schemas"]["PendingInvite"][];
            /** @description Whether and when this person will be erased. */
            erasure: components["schemas"]["Erasure"] | null;
            /** @description Whether shops may have programmes in this installation. */
            hasProgrammes: boolean;
            /** @description What the person has said of the shop, while they ask to become a merchant. */
            application?: components["schemas"]["Application"];
            /**
             * @description Why the app cannot be used. Absent if it can.
             * @enum {string}
             */
            code?: "SUSPENDED" | "ADMIN_EMAIL_REQUIRED" | "PENDING_APPROVAL";
        };
        PendingInvite: {
            /**
             * Format: uuid
             * @description The invite.
             */
            inviteId: string;
            /**
             * Format: uuid
             * @description The shop.
             */
            tenantId: string;
            /** @description The name of the shop that invites; `a shop` where it holds more than a name. */
            tenantName: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        Erasure: {
            /**
             * Format: uuid
             * @description The erasure.
             */
            erasureId: string;
            /**
             * @description `scheduled` until it begins, and can be withdrawn until then.
             * @enum {string}
             */
            status: "scheduled" | "withdrawn" | "running" | "done";
            /**
             * Format: date-time
             * @description When it begins, or began.
             */
            at: string;
        };
        Application: {
            /** @description The name that consumers see. */
            shopName: string;
            /** @description Under which the shop can be asked; nothing is matched by it. */
            phone: string;
            /**
             * Format: uri
             * @description Of the shop, if it has one.
             */
            website?: string;
            /** @description Why, in a sentence. */
            reason: string;
        };
        Notices: {
            /**
             * @description Of which points a customer is mailed: their first at a shop, each, or none.
             * @enum {string}
             */
            points: "first" | "each" | "never";
            /** @description Whether a merchant is mailed each Monday what the week was like. */
            weekly: boolean;
            /** @description Whether an administrator is mailed when merchants wait for their answer. */
            waiting: boolean;
            /** @description With which a browser subscribes to be told of points; null where that is off. */
            pushKey: string | null;
        };
        StoppedNotices: {
            /**
             * @description Always true.
             * @constant
             */
            ok: true;
        };
        AddedPushSubscription: {
            /**
             * Format: uuid
             * @description By which it is removed.
             */
            id: string;
        };
        RemovedPushSubscription: {
            /**
             * @description Always true.
             * @constant
             */
            ok: true;
        };
        OwnInvite: {
            /**
             * Format: uuid
             * @description The invite.
             */
            inviteId: string;
            /**
             * Format: uuid
             * @description The shop.
             */
            tenantId: string;
            /** @description The name of the shop that invites; `a shop` where it holds more than a name. */
            tenantName: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * @description Only a pending one can be accepted or declined.
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "withdrawn" | "lapsed";
        };
        InviteDecision: {
            /**
             * @description Always true.
             * @constant
             */
            ok: true;
            /**
             * @description What the person is in the service.
             * @enum {string}
             */
            role: "consumer" | "client" | "pos_operator" | "admin";
            /** @description The shops of an operator, else those with a wallet. */
            tenantIds: string[];
        };
        Wallet: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * Format: uuid
             * @description The shop whose points these are.
             */
            tenantId: string;
            /** @description Points: the sum of the credits minus the sum of the debits. */
            balance: number;
            /** @description Points of purchases that were refunded after their points were used. They will be taken from what the wallet gets next; while there are any, the balance is 0. */
            owed: number;
            /** @description Points of sales that can still be returned: they cannot be redeemed yet. It may exceed the balance, once points of it were spent. */
            pending: number;
            /** @description What of the balance can be used now; not less than 0. */
            available: number;
            /**
             * Format: date-time
             * @description When the first of the pending points can be used; null if no points are pending.
             */
            nextRelease: string | null;
            /**
             * @description `frozen`: nothing can be redeemed, everything else goes on.
             * @enum {string}
             */
            status: "active" | "frozen";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When balance, debts or status last changed.
             */
            updatedAt: string;
            /** @description The shop. */
            tenant: {
                /**
                 * Format: uuid
                 * @description Its id, which never changes.
                 */
                id: string;
                /** @description The name of the shop. */
                name: string;
                /** @description How the shop looks. */
                branding: {
                    /**
                     * Format: uri
                     * @description The address of the logo; null without one.
                     */
                    logoUrl: string | null;
                    /** @description As `#rrggbb`; null without one. Apps keep the contrast of what they show in it. */
                    color: string | null;
                };
            };
            /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
            currency: string | null;
            /** @description The worth of the balance, in minor units of the currency. */
            worthMinorUnits: number;
            /** @description What a confirmation accepts at this moment. */
            redeemable: components["schemas"]["Redeemable"];
            /** @description What has to be available before points can be redeemed. Null without a rule in effect. */
            redeemsFrom: number | null;
            /** @description What payments earn by the rule in effect. Null when there is none. */
            earning: {
                /**
                 * Format: double
                 * @description Points for each minor unit of the amount paid.
                 */
                conversionRate: number;
                /** @description Smaller payments earn nothing. */
                minSpendMinorUnits: number;
            } | null;
        };
        Redeemable: {
            /** @description The fewest points; 0 when none can be redeemed. */
            min: number;
            /** @description The most points. 0 when none can be redeemed: the wallet is frozen, the shop is suspended, what is available is below what the rule requires, its share of 24 hours is used up, or no rule is in effect. */
            max: number;
        };
        JoinableShop: {
            /**
             * Format: uuid
             * @description The shop.
             */
            tenantId: string;
            /** @description The name of the shop. */
            name: string;
            /** @description How the shop looks. */
            branding: {
                /**
                 * Format: uri
                 * @description The address of the logo; null without one.
                 */
                logoUrl: string | null;
                /** @description As `#rrggbb`; null without one. Apps keep the contrast of what they show in it. */
                color: string | null;
            };
            /**
             * Format: uuid
             * @description Your wallet there; null if you have none.
             */
            walletId: string | null;
        };
        MemberCard: {
            /** @description Twelve digits, the last of which tells a mistake. */
            memberNumber: string;
            /** @description What the QR code to be scanned at tills says. */
            qr: string;
        };
        LedgerEntry: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * Format: uuid
             * @description The wallet.
             */
            walletId: string;
            /**
             * @description Whether points came in or went out.
             * @enum {string}
             */
            entry_type: "credit" | "debit";
            /** @description How many points. */
            points: number;
            /** @description Points in the wallet after the entry. */
            balanceAfter: number;
            /**
             * @description Why.
             * @enum {string}
             */
            reason: "purchase" | "redemption" | "redemption_expired" | "payment_refunded" | "admin_adjustment" | "points_expired";
            /**
             * @description What caused the entry.
             * @enum {string}
             */
            sourceType: "payment" | "redemption" | "adjustment" | "expiry";
            /**
             * Format: uuid
             * @description The id of what caused it.
             */
            sourceId: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description The payment that moved the points; null when none did. */
            sale: {
                /** @description What was paid, without a tip. */
                amountMinorUnits: number;
                /** @description The tip, which earns nothing. */
                tipMinorUnits: number;
                /** @description What was refunded of the amount so far. */
                refundedMinorUnits: number;
                /** @description ISO 4217; null until the shop’s is known. */
                currency: string;
                /**
                 * @description The point-of-sale provider.
                 * @enum {string}
                 */
                provider: "alpha" | "beta";
                /**
                 * Format: date-time
                 * @description When the sale was, by its provider.
                 */
                occurredAt: string;
            } | null;
            /** @description What the code takes off that they were redeemed for; null without a code. */
            discount: {
                /** @description What the points are worth, in minor units of the currency. */
                discountValueMinorUnits: number;
                /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
                currency: string | null;
            } | null;
        };
        EntryExplanation: {
            /**
             * Format: uuid
             * @description The ledger entry.
             */
            entryId: string;
            /**
             * @description Whether points came in or went out.
             * @enum {string}
             */
            entry_type: "credit" | "debit";
            /** @description How many points. */
            points: number;
            /**
             * @description Why.
             * @enum {string}
             */
            reason: "purchase" | "redemption" | "redemption_expired" | "payment_refunded" | "admin_adjustment" | "points_expired";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the entry was for, in a sentence. */
            summary: string;
            /** @description How its points were reached, with the values of the formula. */
            steps: string[];
            /** @description The same for programs, which write sentences of their own of it. */
            coded: {
                summary: components["schemas"]["CodedSentence"];
                /** @description One for each of `steps`, in their order. */
                steps: components["schemas"]["CodedSentence"][];
            };
            /** @description The decision about the payment, if a payment was the cause. */
            decision: components["schemas"]["Decision"] | null;
        };
        CodedSentence: components["schemas"]["EarnedSentence"] | components["schemas"]["EarnedNothingSentence"] | components["schemas"]["PaidSentence"] | components["schemas"]["RecognisedSentence"] | components["schemas"]["NotRecognisedSentence"] | components["schemas"]["RuleSentence"] | components["schemas"]["OtherCurrencySentence"] | components["schemas"]["LessThanMinimumSentence"] | components["schemas"]["CalculatedSentence"] | components["schemas"]["CampaignMultipliesSentence"] | components["schemas"]["TierMultipliesSentence"] | components["schemas"]["CampaignAddsSentence"] | components["schemas"]["RefundedSentence"] | components["schemas"]["UsableFromSentence"] | components["schemas"]["ExpiredBySentence"] | components["schemas"]["UsableLongerSentence"] | components["schemas"]["PointsSentence"] | components["schemas"]["PlainSentence"];
        EarnedSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "earned";
            /** @description The values that the sentence names. */
            params: {
                /** @description How many points. */
                points: number;
                /** @description Of them, after refunds. */
                takenBack: number;
            };
        };
        EarnedNothingSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "earned_nothing";
            /** @description The values that the sentence names. */
            params: {
                /** @description `duplicate`: the payment had been read before. */
                reason: ("zero_amount" | "below_minimum" | "rounded_to_zero" | "capped_to_zero" | "capped_to_limit" | "no_contacts" | "no_match" | "no_rule" | "tenant_suspended" | "before_connection" | "currency_mismatch" | "duplicate") | null;
                /** @description In minor units. */
                minSpendMinorUnits: number | null;
                /** @description ISO 4217; null until the shop’s is known. */
                currency: string;
                /** @description The shop’s, if it is another one. */
                tenantCurrency: string | null;
                /** @description Whether it had an e-mail. */
                email: boolean;
                /** @description Whether it had a phone number. */
                phone: boolean;
            };
        };
        PaidSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "paid";
            /** @description The values that the sentence names. */
            params: {
                /** @description In minor units. */
                amountMinorUnits: number;
                /** @description In minor units. */
                tipMinorUnits: number;
                /** @description ISO 4217; null until the shop’s is known. */
                currency: string;
            };
        };
        RecognisedSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "recognised";
            /** @description The values that the sentence names. */
            params: {
                /**
                 * @description What identified the consumer: a contact, or the member number at the till.
                 * @enum {string}
                 */
                by: "email" | "phone" | "member";
                /** @description Whether its phone belongs to somebody else. */
                conflict: boolean;
                /** @description Whether that was after the payment had been stored. */
                late: boolean;
            };
        };
        NotRecognisedSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "not_recognised";
            /** @description The values that the sentence names. */
            params: {
                /** @description Whether it had an e-mail. */
                email: boolean;
                /** @description Whether it had a phone number. */
                phone: boolean;
            };
        };
        RuleSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "rule";
            /** @description The values that the sentence names. */
            params: {
                /** @description The number of the version, from 1 on. */
                version: number;
                /** @description Points per minor unit, as decimal text. */
                conversionRate: string;
                /** @description In minor units. */
                minSpendMinorUnits: number;
                /** @description The most that a payment earns; null for no limit. */
                maxPointsPerTransaction: number | null;
                /**
                 * @description How a fraction of a point is rounded; `round` rounds halves up.
                 * @enum {string}
                 */
                roundingPolicy: "floor" | "ceil" | "round";
                /** @description ISO 4217; null until the shop’s is known. */
                currency: string;
            };
        };
        OtherCurrencySentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "other_currency";
            /** @description The values that the sentence names. */
            params: {
                /** @description ISO 4217; null until the shop’s is known. */
                currency: string;
                /** @description The shop’s. */
                tenantCurrency: string;
            };
        };
        LessThanMinimumSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "less_than_minimum";
            /** @description The values that the sentence names. */
            params: {
                /** @description In minor units. */
                amountMinorUnits: number;
                /** @description In minor units. */
                minSpendMinorUnits: number;
                /** @description ISO 4217; null until the shop’s is known. */
                currency: string;
            };
        };
        CalculatedSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "calculated";
            /** @description The values that the sentence names. */
            params: {
                /** @description In minor units. */
                amountMinorUnits: number;
                /** @description ISO 4217; null until the shop’s is known. */
                currency: string;
                /** @description Points per minor unit, as decimal text. */
                conversionRate: string;
                /** @description The amount times the rate, as decimal text. */
                exact: string;
                /** @description The same, rounded. */
                rounded: string;
                /**
                 * @description How a fraction of a point is rounded; `round` rounds halves up.
                 * @enum {string}
                 */
                roundingPolicy: "floor" | "ceil" | "round";
            };
        };
        CampaignMultipliesSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "campaign_multiplies";
            /** @description The values that the sentence names. */
            params: {
                /** @description Its name. */
                campaign: string;
                /**
                 * Format: double
                 * @description By how much the points were multiplied.
                 */
                multiplier: number;
                /** @description In minor units. */
                amountMinorUnits: number;
                /** @description ISO 4217; null until the shop’s is known. */
                currency: string;
                /** @description Points per minor unit, as decimal text. */
                conversionRate: string;
                /** @description The amount times the rate times the multiplier, as decimal text. */
                exact: string;
                /** @description The same, rounded. */
                rounded: string;
                /**
                 * @description How a fraction of a point is rounded; `round` rounds halves up.
                 * @enum {string}
                 */
                roundingPolicy: "floor" | "ceil" | "round";
                /** @description The points without it. */
                instead: number;
            };
        };
        TierMultipliesSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "tier_multiplies";
            /** @description The values that the sentence names. */
            params: {
                /** @description Its name. */
                tier: string;
                /**
                 * Format: double
                 * @description By how much the points were multiplied.
                 */
                multiplier: number;
                /** @description In minor units. */
                amountMinorUnits: number;
                /** @description ISO 4217; null until the shop’s is known. */
                currency: string;
                /** @description Points per minor unit, as decimal text. */
                conversionRate: string;
                /** @description The amount times the rate times the multiplier, as decimal text. */
                exact: string;
                /** @description The same, rounded. */
                rounded: string;
                /**
                 * @description How a fraction of a point is rounded; `round` rounds halves up.
                 * @enum {string}
                 */
                roundingPolicy: "floor" | "ceil" | "round";
                /** @description The points without it. */
                instead: number;
            };
        };
        CampaignAddsSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "campaign_adds";
            /** @description The values that the sentence names. */
            params: {
                /** @description Its name. */
                campaign: string;
                /** @description How many points. */
                points: number;
            };
        };
        RefundedSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "refunded" | "refund_failed";
            /** @description The values that the sentence names. */
            params: {
                /** @description The total refunded by then. */
                refundedMinorUnits: number;
                /** @description ISO 4217; null until the shop’s is known. */
                currency: string;
                /** @description The points that all refunds by then are worth. */
                target: number;
                /** @description Taken back, or given back when a refund failed. */
                points: number;
                /** @description Points to be taken from what comes next, or no longer. */
                owed: number;
                /** @description Of what had expired before, set against it, or no longer. */
                absorbed: number;
            };
        };
        UsableFromSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "usable_from";
            /** @description The values that the sentence names. */
            params: {
                /**
                 * Format: date-time
                 * @description When the sale can no longer be returned.
                 */
                at: string;
                /** @description By whose clocks the sentence says it: those of the shop. */
                timeZone: string;
            };
        };
        ExpiredBySentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "expired_by";
            /** @description The values that the sentence names. */
            params: {
                /** @description The last month in which they were earned. */
                earnedBy: string;
                /** @description The month until whose end they could be used. */
                month: string;
            };
        };
        UsableLongerSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "usable_longer";
            /** @description The values that the sentence names. */
            params: {
                /** @description Before they expired. */
                balance: number;
                /** @description Of the balance, what can be used longer. */
                longer: number;
            };
        };
        PointsSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "capped_by_rule" | "capped_to_limit" | "debt_paid" | "written_off" | "redeemed" | "points_came_back" | "taken_back" | "given_back" | "added_by_hand" | "taken_by_hand" | "points_expired";
            /** @description The values that the sentence names. */
            params: {
                /** @description How many points. */
                points: number;
            };
        };
        PlainSentence: {
            /**
             * @description What it says. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "no_rule" | "taken_at_confirmation" | "code_open" | "code_used" | "code_expired" | "code_cancelled" | "because_cancelled" | "because_unused" | "because_refunded" | "because_refund_failed" | "corrected_by_administrator" | "brought_over" | "brought_over_in_error";
            /** @description The values that the sentence names. */
            params: Record<string, never>;
        };
        Decision: {
            /** @description The amount without tip, in minor units of its currency. */
            amountMinorUnits: number;
            /** @description The tip, which earns nothing. */
            tipMinorUnits: number;
            /** @description ISO 4217; null until the shop’s is known. */
            currency: string;
            /** @description Which contacts the payment contained. */
            contacts: {
                /** @description Whether it had an e-mail. */
                email: boolean;
                /** @description Whether it had a phone number. */
                phone: boolean;
            };
            /** @description How the consumer was found. */
            match: {
                /** @description What identified the consumer: a contact, or the member number at the till. */
                by: ("email" | "phone" | "member") | null;
                /** @description Whether the e-mail and the phone belong to different people. */
                conflict: boolean;
                /**
                 * @description Whether the consumer became known only after the payment was stored.
                 * @default false
                 */
                late: boolean;
            };
            /** @description The reward rule that was in effect. */
            rule: {
                /** @description The number of the version, from 1 on. */
                version: number;
                /** @description Points per minor unit, as decimal text. */
                conversionRate: string;
                /** @description A payment of less, in minor units, earns nothing. */
                minSpendMinorUnits: number;
                /** @description The most that a payment earns; null for no limit. */
                maxPointsPerTransaction: number | null;
                /**
                 * @description How a fraction of a point is rounded; `round` rounds halves up.
                 * @enum {string}
                 */
                roundingPolicy: "floor" | "ceil" | "round";
            } | null;
            /** @description How the points were calculated; null without a consumer, without a rule, before the connection, and in another currency. */
            earning: {
                /** @description The amount times the rate, before rounding. */
                exact: string;
                /**
                 * Format: double
                 * @description After rounding, before the cap.
                 */
                rounded: number;
                /** @description How many points. */
                points: number;
                /** @description Why it earned nothing, if so. */
                zeroReason: ("zero_amount" | "below_minimum" | "rounded_to_zero" | "capped_to_zero") | null;
            } | null;
            /** @description What was earned besides the rule’s points, and these; absent where nothing was. */
            awards?: {
                /** @description The points by the rule. */
                base: number;
                /** @description The tier, where its multiplier was the greatest. */
                tier?: {
                    /** @description Which tier of the programme it was. */
                    key: string;
                    /**
                     * Format: double
                     * @description What points were multiplied by.
                     */
                    multiplier: number;
                    /** @description That it added. */
                    points: number;
                };
                /** @description Those that added points, the multiplier first. */
                campaigns: {
                    /**
                     * Format: uuid
                     * @description Its id, which never changes.
                     */
                    id: string;
                    /**
                     * @description Whether it multiplies, or adds.
                     * @enum {string}
                     */
                    kind: "multiplier" | "bonus";
                    /**
                     * Format: double
                     * @description Of a `multiplier`.
                     */
                    multiplier?: number;
                    /** @description That it added, as far as the cap left them. */
                    points: number;
                    /**
                     * @description The cap took some of them.
                     * @constant
                     */
                    cut?: true;
                }[];
            };
            /**
             * @description The sale was made before the shop was connected, and earns nothing.
             * @constant
             */
            isBeforeConnection?: true;
            /** @description The tenant’s currency, if the payment was in another one and earned nothing. */
            tenantCurrency?: string;
            /**
             * @description What refunds did to the points, oldest first.
             * @default []
             */
            reversals: {
                /**
                 * @description What was done.
                 * @constant
                 */
                outcome: "refund_reversed";
                /**
                 * @description A refund; one that failed after all; or points that came later and paid what was still owed.
                 * @default refund
                 * @enum {string}
                 */
                cause: "refund" | "refund_failed" | "debt_paid" | "written_off";
                /** @description The total refunded so far. */
                refundedMinorUnits: number;
                /** @description The points that all refunds so far are worth. */
                target: number;
                /** @description Points taken back; negative when they were given back. */
                points: number;
                /**
                 * @description Points to be taken from what comes next; negative when they no longer are.
                 * @default 0
                 */
                owed: number;
                /** @description Points given up; negative when they no longer are. */
                writtenOff: number;
                /**
                 * @description Of what had expired before; negative when it is no longer set against it.
                 * @default 0
                 */
                absorbed: number;
            }[];
        };
        OwnData: {
            /** @description Who you are, as far as the service knows. */
            person: {
                /**
                 * Format: uuid
                 * @description Its id, which never changes.
                 */
                id: string;
                /** @description The e-mail address. */
                email: string | null;
                /** @description Whether the identity provider has verified it. */
                emailVerified: boolean;
                /** @description The phone number, as E.164. */
                phone: string | null;
                /** @description Whether the identity provider has verified it. */
                phoneVerified: boolean;
                /** @description As the identity provider says; null if it says none. */
                name: string | null;
                /** @description In which mails to you are written. */
                language: ("en" | "de") | null;
                /** @description Null until the member card is first looked at. */
                memberNumber: string | null;
                /**
                 * @description What the person is in the service.
                 * @enum {string}
                 */
                role: "consumer" | "client" | "pos_operator" | "admin";
                /**
                 * @description Its state.
                 * @enum {string}
                 */
                status: "active" | "pending_approval" | "suspended";
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                createdAt: string;
            };
            /** @description Oldest first. */
            wallets: {
                wallet: components["schemas"]["Wallet"];
                /** @description Newest first. They add up to the balance of the wallet. */
                entries: {
                    /**
                     * Format: uuid
                     * @description Its id, which never changes.
                     */
                    id: string;
                    /**
                     * Format: uuid
                     * @description The wallet.
                     */
                    walletId: string;
                    /**
                     * @description Whether points came in or went out.
                     * @enum {string}
                     */
                    entry_type: "credit" | "debit";
                    /** @description How many points. */
                    points: number;
                    /** @description Points in the wallet after the entry. */
                    balanceAfter: number;
                    /**
                     * @description Why.
                     * @enum {string}
                     */
                    reason: "purchase" | "redemption" | "redemption_expired" | "payment_refunded" | "admin_adjustment" | "points_expired";
                    /**
                     * @description What caused the entry.
                     * @enum {string}
                     */
                    sourceType: "payment" | "redemption" | "adjustment" | "expiry";
                    /**
                     * Format: uuid
                     * @description The id of what caused it.
                     */
                    sourceId: string;
                    /**
                     * Format: date-time
                     * @description When it was created.
                     */
                    createdAt: string;
                    /** @description The payment that moved the points; null when none did. */
                    sale: {
                        /** @description What was paid, without a tip. */
                        amountMinorUnits: number;
                        /** @description The tip, which earns nothing. */
                        tipMinorUnits: number;
                        /** @description What was refunded of the amount so far. */
                        refundedMinorUnits: number;
                        /** @description ISO 4217; null until the shop’s is known. */
                        currency: string;
                        /**
                         * @description The point-of-sale provider.
                         * @enum {string}
                         */
                        provider: "alpha" | "beta";
                        /**
                         * Format: date-time
                         * @description When the sale was, by its provider.
                         */
                        occurredAt: string;
                    } | null;
                    /** @description What the code takes off that they were redeemed for; null without a code. */
                    discount: {
                        /** @description What the points are worth, in minor units of the currency. */
                        discountValueMinorUnits: number;
                        /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
                        currency: string | null;
                    } | null;
                    /** @description As its owner reads it in the app. */
                    explanation: {
                        /** @description What happened, in a sentence. */
                        summary: string;
                        /** @description How it came about, with the values of the formula. */
                        steps: string[];
                    };
                }[];
                /** @description Newest first. */
                redemptions: components["schemas"]["Redemption"][];
                /** @description The payments that were matched to you; those that occurred last first. */
                sales: {
                    /**
                     * Format: uuid
                     * @description Its id, which never changes.
                     */
                    id: string;
                    /**
                     * @description The point-of-sale provider.
                     * @enum {string}
                     */
                    provider: "alpha" | "beta";
                    /** @description The provider's id of the payment. */
                    providerPaymentId: string;
                    /** @description What was paid, without a tip. */
                    amountMinorUnits: number;
                    /** @description ISO 4217. */
                    currency: string;
                    /**
                     * Format: date-time
                     * @description When the sale was, by its provider.
                     */
                    occurredAt: string;
                    /**
                     * @description What became of the payment; of a duplicate there is no second one.
                     * @enum {string}
                     */
                    outcome: "credited" | "stored_anonymous" | "duplicate" | "no_rule_no_credit";
                    /** @description Why the payment credited nothing, or less than its rule gives. */
                    outcomeReason: string | null;
                    /** @description Points that the payment earned. */
                    pointsAwarded: number;
                    /** @description The version of the reward rule that counted. */
                    ruleVersion: number | null;
                    /**
                     * Format: date-time
                     * @description When the payment was stored.
                     */
                    createdAt: string;
                    /** @description What was refunded of the amount so far. */
                    refundedMinorUnits: number;
                    /** @description Points taken back by refunds. */
                    pointsReversed: number;
                    /** @description Points still to be taken back, from what the consumer gets next. */
                    pointsOwed: number;
                    /** @description The provider's id of the shop's location. */
                    locationId: string | null;
                    /** @description The tip, which earns nothing. */
                    tipMinorUnits: number;
                    /** @description As its owner reads it in the app. */
                    explanation: {
                        /** @description What happened, in a sentence. */
                        summary: string;
                        /** @description How it came about, with the values of the formula. */
                        steps: string[];
                    };
                }[];
                /** @description Which of them staff attached; those that were attached last first. */
                attachments: {
                    /**
                     * Format: uuid
                     * @description The transaction.
                     */
                    transactionId: string;
                    /**
                     * Format: date-time
                     * @description When somebody attached it, by the member number.
                     */
                    attachedAt: string;
                }[];
                /** @description Your tier; null without one. */
                standing: {
                    /** @description Which tier of the programme it is. */
                    tierKey: string;
                    /**
                     * Format: date
                     * @description The day on which it was reached, or kept.
                     */
                    since: string;
                    /**
                     * Format: date
                     * @description The day on which it is decided again.
                     */
                    keptUntil: string;
                } | null;
                /** @description What `GET …/proof` answers; null where it refuses, until the wallet moves again. */
                proof: {
                    /**
                     * @description The version of this form.
                     * @constant
                     */
                    format: "loyalty-wallet-proof/v1";
                    /**
                     * Format: uuid
                     * @description The wallet.
                     */
                    walletId: string;
                    /**
                     * Format: uuid
                     * @description The shop.
                     */
                    tenantId: string;
                    /**
                     * Format: date-time
                     * @description When it was created.
                     */
                    createdAt: string;
                    /** @description The entry before the first one, all zero for a whole history. */
                    base: {
                        /** @description The number of the entry in its wallet, from 1 on. */
                        seq: number;
                        /** @description Points in the wallet. */
                        balance: number;
                        /** @description SHA-256 over the entry and the hash before it, in hexadecimal. */
                        hash: string;
                    };
                    /** @description The entries after that one, oldest first. */
                    entries: {
                        /**
                         * Format: uuid
                         * @description Its id, which never changes.
                         */
                        id: string;
                        /** @description The number of the entry in its wallet, from 1 on. */
                        seq: number;
                        /**
                         * @description Whether points came in or went out.
                         * @enum {string}
                         */
                        entryType: "credit" | "debit";
                        /** @description How many points. */
                        points: number;
                        /** @description Points in the wallet after the entry. */
                        balanceAfter: number;
                        /** @description Why. */
                        reason: string;
                        /** @description What caused the entry. */
                        sourceType: string;
                        /**
                         * Format: uuid
                         * @description The id of what caused it.
                         */
                        sourceId: string;
                        /** @description Microseconds since 1970, as text. */
                        createdAtMicroseconds: string;
                        /** @description SHA-256 over the entry and the hash before it, in hexadecimal. */
                        hash: string;
                    }[];
                    /** @description Null while no statement names the wallet. */
                    inclusion: {
                        /** @description The entry of the wallet that the statement names. */
                        seq: number;
                        /** @description Where in the tree of the first statement the wallet is. */
                        index: number;
                        /** @description The hashes beside it, from the leaf to the root. */
                        path: string[];
                    } | null;
                    /** @description From the last one that names the wallet to the newest of its tenant. */
                    statements: {
                        /** @description What was signed. */
                        text: string;
                        /** @description Its signature, in hexadecimal. */
                        signature: string;
                    }[];
                    /** @description The keys that sign statements. */
                    keys: {
                        /** @description The first 16 characters of the SHA-256 of the key. */
                        keyId: string;
                        /**
                         * @description How it signs.
                         * @constant
                         */
                        algorithm: "Ed25519";
                        /** @description The 32 bytes of the key, in hexadecimal. */
                        publicKey: string;
                    }[];
                } | null;
            }[];
            /** @description The mails about points that would expire. */
            notices: {
                /**
                 * Format: uuid
                 * @description The wallet.
                 */
                walletId: string;
                /** @description At whose end the points would expire: `2026-03`. */
                month: string;
            }[];
            /** @description Of what you want to be told by mail. */
            noticeChoices: components["schemas"]["NoticeChoices"];
            /** @description Where you switched notices on; oldest first. */
            browsers: {
                /** @description Where its push service takes what it is told. */
                endpoint: string;
                /**
                 * Format: date-time
                 * @description When it was switched on there.
                 */
                createdAt: string;
            }[];
            /** @description What is kept elsewhere, and not in this file. */
            notErased: string[];
        };
        Redemption: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * Format: uuid
             * @description The wallet.
             */
            walletId: string;
            /** @description The shop. */
            tenant: {
                /**
                 * Format: uuid
                 * @description Its id, which never changes.
                 */
                id: string;
                /** @description The name of the shop. */
                name: string;
            };
            /**
             * @description `issued`: the code can be used. `expired`: overdue or cancelled, and not used.
             * @enum {string}
             */
            status: "issued" | "used" | "expired";
            /** @description Whether its consumer or an administrator cancelled it; it is `expired` then. */
            cancelled: boolean;
            /** @description The points that were redeemed. */
            points: number;
            /** @description What the till takes off, in minor units of the currency; 0 for an item. */
            discountValueMinorUnits: number;
            /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
            currency: string | null;
            /**
             * Format: date-time
             * @description When the points were exchanged for the code.
             */
            issuedAt: string;
            /**
             * Format: date-time
             * @description From then on the code cannot be used.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description Null unless the status is `used`.
             */
            usedAt: string | null;
            /** @description What the code is for; null for points that the till takes off. */
            reward: components["schemas"]["NamedReward"] | null;
            /** @description Null unless the status is `issued`. */
            code: string | null;
        };
        NamedReward: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description What customers and tills read. */
            name: string;
            /**
             * @description `amount`: the till takes its value off. `item`: the till hands it out instead.
             * @enum {string}
             */
            kind: "amount" | "item";
        };
        NoticeChoices: {
            /**
             * @description Of which points a customer is mailed: their first at a shop, each, or none.
             * @enum {string}
             */
            points: "first" | "each" | "never";
            /** @description Whether a merchant is mailed each Monday what the week was like. */
            weekly: boolean;
            /** @description Whether an administrator is mailed when merchants wait for their answer. */
            waiting: boolean;
        };
        ConsumerProgramme: {
            /** @description For how many months after the one in which they were earned points are valid; null for ever. */
            validityMonths: number | null;
            /** @description For how many days after a sale its points wait, because it can still be returned; 0 for none. */
            returnWindowDays: number;
            /** @description Who spends enough within a year earns more; the lowest first. */
            tiers: components["schemas"]["Tier"][];
            tier: components["schemas"]["OwnTier"];
            /** @description What counts today towards the thresholds: the sales of a year, less refunds, until two weeks ago, or until when they could still be returned. */
            qualifyingMinorUnits: number;
            /** @description Those that run and that this customer can still get. */
            campaigns: components["schemas"]["ConsumerCampaign"][];
        };
        Tier: {
            /** @description Names the tier for ever: who has it keeps it while a version has the key. */
            key: string;
            /** @description What customers read. */
            name: string;
            /** @description What is to be spent within a year, less refunds. */
            thresholdMinorUnits: number;
            /**
             * Format: double
             * @description By how much points are multiplied; of it and campaigns the greatest counts.
             */
            multiplier: number;
        };
        /** @description The one that you have; null for none. */
        OwnTier: {
            /** @description Names the tier for ever: who has it keeps it while a version has the key. */
            key: string;
            /** @description What customers read. */
            name: string;
            /**
             * Format: double
             * @description By how much points are multiplied; of it and campaigns the greatest counts.
             */
            multiplier: number;
            /**
             * Format: date
             * @description From which day on, where the shop is.
             */
            since: string;
            /**
             * Format: date
             * @description The day on which it is decided anew.
             */
            keptUntil: string;
        } | null;
        ConsumerCampaign: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description What customers read. */
            name: string;
            /** @description What it gives for which purchases, in a sentence. */
            text: string;
            /**
             * Format: double
             * @description By how much the points of a sale are multiplied; of several, the greatest counts.
             */
            multiplier: number | null;
            /** @description How many points a sale earns besides. */
            points: number | null;
            /** @description The least amount that gets it. */
            minSpendMinorUnits: number;
            /**
             * @description `first_purchase`: only customers who have never earned points at the shop.
             * @enum {string}
             */
            audience: "all" | "first_purchase";
            /** @description On which days, by the clocks of the shop: 1 is Monday, 7 is Sunday; null for all. */
            days: number[] | null;
            /** @description At which time of the day, by the clocks of the shop, the end exclusive; null for all. */
            hours: {
                /** @description Inclusive. */
                from: string;
                /** @description Exclusive; at most `24:00`. */
                to: string;
            } | null;
            /**
             * Format: date-time
             * @description Until when, exclusive; null for ever.
             */
            endsAt: string | null;
        };
        ConsumerReward: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description What customers and tills read. */
            name: string;
            /**
             * @description `amount`: the till takes its value off. `item`: the till hands it out instead.
             * @enum {string}
             */
            kind: "amount" | "item";
            /** @description How many points it takes. */
            pricePoints: number;
            /** @description What it is worth to the shop, in minor units: at most ten for each point. */
            valueMinorUnits: number;
            /** @description How many there are; a code that ends unused puts one back. Null for no limit. */
            stock: number | null;
            /**
             * Format: date-time
             * @description From when on it is offered no more; null for never.
             */
            endsAt: string | null;
            /** @description How many are left; null for no limit. */
            left: number | null;
            /**
             * @description `sold_out`: none is left, unless a code ends unused.
             * @enum {string}
             */
            status: "offered" | "sold_out" | "ended";
            /**
             * Format: date-time
             * @description When it was published.
             */
            createdAt: string;
            /** @description Whether this customer can have it now. */
            redeemable: boolean;
            /** @description Why not: the code of the issue that would refuse it. */
            refusal: string | null;
        };
        Validity: {
            /** @description For how many months points are valid that are earned now; null for ever. */
            validityMonths: number | null;
            /** @description By whose clocks months end: those of the shop. */
            timeZone: string | null;
            /** @description Soonest first, what never expires last. */
            points: {
                /** @description The month at whose end they expire; null for never. */
                month: string | null;
                /**
                 * Format: date-time
                 * @description The first moment after that month.
                 */
                expiresAt: string | null;
                /** @description How many. */
                points: number;
            }[];
        };
        TenantOverview: {
            tenant: components["schemas"]["Shop"];
            /** @description The newest active connection, else the newest. */
            posConnection: components["schemas"]["PosConnection"] | null;
            /** @description The highest version, also while it is scheduled; the list says which governs. */
            activeRule: {
                /**
                 * Format: uuid
                 * @description Its id, which never changes.
                 */
                id: string;
                /** @description The number of the version, from 1 on. */
                version: number;
                ruleConfig: components["schemas"]["RuleConfig"];
                /** @description Who published it, with the e-mail as it is today. Null if nobody signed in did. */
                createdBy: {
                    /**
                     * Format: uuid
                     * @description The person.
                     */
                    userId: string;
                    /** @description The e-mail address. */
                    email: string | null;
                } | null;
            } | null;
            stats: components["schemas"]["ShopCounts"];
        };
        /** @description A shop, as its merchant sees it. */
        Shop: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description ISO 3166-1, two letters. */
            country: string | null;
            /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
            currency: string | null;
            /** @description By whose clocks its days begin, such as `Europe/Berlin`: that of its country where it has a single one; null while it is not known. */
            timeZone: string | null;
            /**
             * @description `suspended`: nobody earns or redeems points there. What is sold counts later.
             * @enum {string}
             */
            status: "active" | "suspended";
            /** @description How the shop looks. */
            branding: {
                /**
                 * Format: uri
                 * @description The address of the logo; null without one.
                 */
                logoUrl: string | null;
                /** @description As `#rrggbb`; null without one. Apps keep the contrast of what they show in it. */
                color: string | null;
            };
            /**
             * Format: uri
             * @description Where customers join: for a poster, as a QR code.
             */
            joinUrl: string;
            onboarding: components["schemas"]["Onboarding"];
        };
        Onboarding: {
            /**
             * @description The point-of-sale provider that the shop uses.
             * @enum {string}
             */
            posProviderPreference?: "alpha" | "beta" | "other";
            /** @description The name that consumers see. */
            businessName?: string;
            /** @description An officially assigned code of ISO 3166-1 alpha-2, in either case. */
            country?: string;
            /** @description More about the shop. */
            profile?: {
                /** @description The number under which the shop pays taxes. */
                taxId?: string;
                /** @description Street and number. */
                addressLine?: string;
                /** @description The place. */
                city?: string;
                /** @description Which of its places at alpha is meant. */
                alphaLocationHint?: string;
                /** @description What beta calls the shop. */
                betaMerchantRef?: string;
                /** @description About another provider. */
                otherPosNotes?: string;
            };
        };
        PosConnection: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * @description The point-of-sale provider.
             * @enum {string}
             */
            posType: "alpha" | "beta";
            /**
             * @description Whether payments come in by it.
             * @enum {string}
             */
            status: "active" | "disconnected";
            /** @description The name of the connected account at its provider; null until it was read. */
            accountName: string | null;
            /** @description What is wrong, and who can fix it. */
            lastError: string | null;
            /**
             * Format: date-time
             * @description Since when the provider accepts us no more: sales earn nothing until the merchant connects again. Null while it does.
             */
            needsReconnectSince: string | null;
            /**
             * Format: date-time
             * @description Since when no webhook has told of sales that the provider lists; null once one does again. What is missing can be brought in.
             */
            gapSince: string | null;
            /**
             * Format: date-time
             * @description When the newest webhook event arrived.
             */
            lastEventAt: string | null;
            /**
             * Format: date-time
             * @description When the newest sale occurred; null without one among the last 1,000 sales of the shop.
             */
            lastSaleAt: string | null;
            /**
             * Format: date-time
             * @description The newest sale that polling brought in. Absent where the provider is not polled.
             */
            watermark?: string | null;
            /**
             * Format: date-time
             * @description When a poll last came to its end. Absent where the provider is not polled.
             */
            lastPolledAt?: string | null;
            /**
             * Format: date-time
             * @description Of the access token. Absent where tokens do not expire.
             */
            tokenExpiresAt?: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
        };
        /** @description What the version says. */
        RuleConfig: {
            /**
             * Format: double
             * @description Points for each minor unit of the amount.
             */
            conversionRate: number;
            /** @description A payment of less, in minor units, earns nothing. */
            minSpendMinorUnits: number;
            /** @description The most that a payment earns; null for no limit. */
            maxPointsPerTransaction: number | null;
            /** @description With a smaller balance nothing can be redeemed. */
            minBalanceToRedeem: number;
            /**
             * Format: double
             * @description Of the balance, what may be redeemed in 24 hours.
             */
            maxRedemptionPercentage: number;
            /**
             * @description How a fraction of a point is rounded; `round` rounds halves up.
             * @enum {string}
             */
            roundingPolicy: "floor" | "ceil" | "round";
            /**
             * Format: date-time
             * @description From when on it governs. By default, from its publication on.
             */
            effectiveFrom: string;
        };
        /** @description Counts over the whole time. */
        ShopCounts: {
            /** @description People with a wallet at the shop. */
            consumerCount: number;
            /** @description Payments that were brought in. */
            transactionCount: number;
        };
        TruthDay: {
            /**
             * Format: date
             * @description A day on the clocks of the shop.
             */
            day: string;
            /**
             * @description Whether all sales were here; or are, since they were brought in; or are not. Of a day that is `unavailable` the provider did not say for a week, or it had too many.
             * @enum {string}
             */
            status: "agrees" | "repaired" | "differs" | "unavailable";
            /** @description What the provider lists: all sales, and the amounts in the shop's currency, without tips. */
            provider: components["schemas"]["DayTotals"];
            /** @description The same of what is known here. */
            ours: components["schemas"]["DayTotals"];
            /** @description Sales that were listed and not known. */
            missing: number;
            /** @description Sales with another amount or refund. */
            changed: number;
            /** @description Sales known here that the provider does not know. */
            unknown: number;
            /** @description Those of the first two that were brought in. */
            repaired: number;
            /**
             * Format: date-time
             * @description When the day was compared last.
             */
            checkedAt: string;
        };
        DayTotals: {
            /** @description All sales, in whatever currency. */
            count: number;
            /** @description The amount without tip, in minor units of its currency. */
            amountMinorUnits: number;
            /** @description What was refunded of them by now. */
            refundedMinorUnits: number;
        };
        RewardRule: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description The number of the version, from 1 on. */
            version: number;
            /** @description Whether it is the highest version. */
            active: boolean;
            /**
             * @description `in_effect`: governs now. `scheduled`: will, from `effectiveFrom` on. `superseded`: does not any more, or never will, because a higher version governs by then.
             * @enum {string}
             */
            status: "in_effect" | "scheduled" | "superseded";
            ruleConfig: components["schemas"]["RuleConfig"];
            /** @description Who published it, with the e-mail as it is today. Null if nobody signed in did. */
            createdBy: {
                /**
                 * Format: uuid
                 * @description The person.
                 */
                userId: string;
                /** @description The e-mail address. */
                email: string | null;
            } | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        ProgrammeVersion: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description The number of the version, from 1 on. */
            version: number;
            /** @description Whether it is the highest version, which governs. */
            active: boolean;
            /** @description By whose clocks months and days of the shop begin, such as `Europe/Berlin`. */
            timeZone: string;
            /** @description For how many months after the one in which they were earned points are valid; null for ever. */
            validityMonths: number | null;
            /** @description For how many days after a sale its points wait, because it can still be returned; 0 for none. */
            returnWindowDays: number;
            /** @description Who spends enough within a year earns more; the lowest first. */
            tiers: components["schemas"]["Tier"][];
            /** @description How many days before the last one customers are told of points that expire. */
            expiryNoticeDays: number;
            /** @description Whether staff may attach a sale to a customer at the till. */
            tillAttach: boolean;
            /**
             * Format: date-time
             * @description From when on it governs.
             */
            publishedAt: string;
        };
        Campaign: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description What customers read. */
            name: string;
            /**
             * @description `exhausted`: its budget is spent; a refund may set it running again.
             * @enum {string}
             */
            status: "scheduled" | "running" | "exhausted" | "ended";
            /**
             * Format: double
             * @description By how much the points of a sale are multiplied; of several, the greatest counts. Null where it gives `points`.
             */
            multiplier: number | null;
            /** @description How many points a sale earns besides. Null where it multiplies. */
            points: number | null;
            /**
             * Format: date-time
             * @description From when on, by the time of the sale.
             */
            startsAt: string;
            /**
             * Format: date-time
             * @description Until when, exclusive; null for ever.
             */
            endsAt: string | null;
            /** @description On which days, by the clocks of the shop: 1 is Monday, 7 is Sunday; null for all. */
            days: number[] | null;
            /** @description At which time of the day, by the clocks of the shop, the end exclusive; null for all. */
            hours: {
                /** @description Inclusive. */
                from: string;
                /** @description Exclusive; at most `24:00`. */
                to: string;
            } | null;
            /** @description The least amount that gets it. */
            minSpendMinorUnits: number;
            /**
             * @description `first_purchase`: only customers who have never earned points at the shop.
             * @enum {string}
             */
            audience: "all" | "first_purchase";
            /** @description Once so many points are spent, it gives no more; what refunds take back may be spent again. What is being decided at that moment may exceed it. Null for no limit. */
            budgetPoints: number | null;
            /** @description What it has given, less what refunds took back. */
            spentPoints: number;
            /** @description For how many sales it has given some. */
            awards: number;
            /**
             * Format: date-time
             * @description Of several campaigns, earlier ones count first.
             */
            publishedAt: string;
            /**
             * Format: date-time
             * @description When it was ended before its time, if so.
             */
            endedAt: string | null;
        };
        Reward: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description What customers and tills read. */
            name: string;
            /**
             * @description `amount`: the till takes its value off. `item`: the till hands it out instead.
             * @enum {string}
             */
            kind: "amount" | "item";
            /** @description How many points it takes. */
            pricePoints: number;
            /** @description What it is worth to the shop, in minor units: at most ten for each point. */
            valueMinorUnits: number;
            /** @description How many there are; a code that ends unused puts one back. Null for no limit. */
            stock: number | null;
            /**
             * Format: date-time
             * @description From when on it is offered no more; null for never.
             */
            endsAt: string | null;
            /** @description How many are left; null for no limit. */
            left: number | null;
            /**
             * @description `sold_out`: none is left, unless a code ends unused.
             * @enum {string}
             */
            status: "offered" | "sold_out" | "ended";
            /**
             * Format: date-time
             * @description When it was published.
             */
            createdAt: string;
            /** @description By codes that are open or used. */
            taken: number;
        };
        Rehearsal: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * @description `cancelled`: an operator ended it. A failed one can be begun again.
             * @enum {string}
             */
            status: "running" | "done" | "failed" | "cancelled";
            /** @description What was asked for. */
            draft: {
                /**
                 * @description Over the sales of how many whole days before today, by the clocks of the shop.
                 * @default 90
                 */
                days: number;
                /** @description The rule that would be published. Its date does not matter. */
                rule: {
                    /**
                     * Format: double
                     * @description Points for each minor unit of the amount. At most 6 decimals.
                     */
                    conversionRate: number;
                    /**
                     * @description A payment of less, in minor units, earns nothing.
                     * @default 0
                     */
                    minSpendMinorUnits: number;
                    /**
                     * @description The most that a payment earns; null for no limit.
                     * @default null
                     */
                    maxPointsPerTransaction: number | null;
                    /**
                     * @description With a smaller balance nothing can be redeemed.
                     * @default 0
                     */
                    minBalanceToRedeem: number;
                    /**
                     * Format: double
                     * @description Of the balance, what may be redeemed in 24 hours. At most 6 decimals.
                     * @default 100
                     */
                    maxRedemptionPercentage: number;
                    /**
                     * @description How a fraction of a point is rounded; `round` rounds halves up.
                     * @default floor
                     * @enum {string}
                     */
                    roundingPolicy: "floor" | "ceil" | "round";
                    /**
                     * Format: date-time
                     * @description From when on it governs. By default, from its publication on.
                     */
                    effectiveFrom?: string;
                };
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        RehearsalReport: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * @description `cancelled`: an operator ended it. A failed one can be begun again.
             * @enum {string}
             */
            status: "running" | "done" | "failed" | "cancelled";
            /** @description What was asked for. */
            draft: {
                /**
                 * @description Over the sales of how many whole days before today, by the clocks of the shop.
                 * @default 90
                 */
                days: number;
                /** @description The rule that would be published. Its date does not matter. */
                rule: {
                    /**
                     * Format: double
                     * @description Points for each minor unit of the amount. At most 6 decimals.
                     */
                    conversionRate: number;
                    /**
                     * @description A payment of less, in minor units, earns nothing.
                     * @default 0
                     */
                    minSpendMinorUnits: number;
                    /**
                     * @description The most that a payment earns; null for no limit.
                     * @default null
                     */
                    maxPointsPerTransaction: number | null;
                    /**
                     * @description With a smaller balance nothing can be redeemed.
                     * @default 0
                     */
                    minBalanceToRedeem: number;
                    /**
                     * Format: double
                     * @description Of the balance, what may be redeemed in 24 hours. At most 6 decimals.
                     * @default 100
                     */
                    maxRedemptionPercentage: number;
                    /**
                     * @description How a fraction of a point is rounded; `round` rounds halves up.
                     * @default floor
                     * @enum {string}
                     */
                    roundingPolicy: "floor" | "ceil" | "round";
                    /**
                     * Format: date-time
                     * @description From when on it governs. By default, from its publication on.
                     */
                    effectiveFrom?: string;
                };
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The start of the first day, by the clocks of the shop.
             */
            from?: string;
            /**
             * Format: date-time
             * @description The end of yesterday: `from` ≤ time < `to`.
             */
            to?: string;
            /** @description That were decided once more. */
            sales?: number;
            /** @description Whose sales they are. */
            consumers?: number;
            /** @description Sales that no rule gives points for. */
            skipped?: {
                /** @description Without a known customer. */
                anonymous: number;
                /** @description In another currency than the shop’s. */
                otherCurrency: number;
                /** @description From before the shop had the account. */
                beforeConnection: number;
                /** @description Of a time in which the shop was suspended. */
                suspended: number;
            };
            /** @description What happened. */
            actual?: {
                /** @description Before refunds. */
                pointsEarned: number;
                /** @description Less what refunds take of each sale. */
                pointsNet: number;
            };
            /** @description What would have happened. */
            rehearsed?: {
                /** @description Before refunds. */
                pointsEarned: number;
                /** @description Less what refunds take of each sale. */
                pointsNet: number;
            };
            /** @description Of the net points. */
            difference?: {
                /** @description How many points. */
                points: number;
                /** @description What they are worth. */
                minorUnits: number;
                /**
                 * Format: double
                 * @description Of the actual points, one decimal; null of none.
                 */
                percent: number | null;
            };
            /** @description Who would have got more, net. */
            consumersMore?: number;
            /** @description Who would have got fewer. */
            consumersFewer?: number;
            /** @description For whom nothing changes. */
            consumersSame?: number;
            /** @description Ascending. A draft with the terms of a version agrees with it to the point. */
            versions?: {
                /** @description The rule that decided; null where there was none. */
                version: number | null;
                /** @description That it decided. */
                sales: number;
                /** @description That were earned. */
                actualPoints: number;
                /** @description That the draft gives. */
                rehearsedPoints: number;
            }[];
            /** @description From Monday to Sunday, the first and the last cut. */
            weeks?: {
                /**
                 * Format: date-time
                 * @description Its start.
                 */
                from: string;
                /**
                 * Format: date-time
                 * @description Its end, which is not part of it.
                 */
                to: string;
                /** @description That were earned. */
                actualPoints: number;
                /** @description That the draft gives. */
                rehearsedPoints: number;
            }[];
            /** @description The five largest gains, then the five largest losses. */
            examples?: {
                /**
                 * Format: uuid
                 * @description The transaction.
                 */
                transactionId: string;
                /** @description The amount without tip, in minor units of its currency. */
                amountMinorUnits: number;
                /** @description That were earned. */
                actualPoints: number;
                /** @description That the draft gives. */
                rehearsedPoints: number;
                /** @description How the draft comes to its points. */
                steps: string[];
                /** @description The same, for apps that write sentences. */
                coded: components["schemas"]["CodedSentence"][];
            }[];
        };
        Import: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * @description `draft` until an administrator approves it; `running` while its rows are brought over, `reverting` while they are taken back.
             * @enum {string}
             */
            status: "draft" | "running" | "done" | "withdrawn" | "reverting" | "reverted";
            /** @description Below the header, those with mistakes included. */
            rows: number;
            /** @description Of the rows without mistakes, in all. */
            points: number;
            /** @description The lines that were left out, at most 100. */
            invalid: {
                /** @description The header is line 1. */
                line: number;
                code: components["schemas"]["IssueCode"];
            }[];
            /** @description Rows whose customers have their points. Null for merchants until it is approved. */
            matched: number | null;
            /** @description Rows whose customers have not signed up yet: for 12 months after the approval if they go by an e-mail, for 90 days if by a phone. Null for merchants until it is approved. */
            waiting: number | null;
            /** @description Rows of customers who were brought over before. Null for merchants until it is approved. */
            repeated: number | null;
            /** @description Points that a revert could not take back: they had been used. */
            notTaken: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Null until it is approved.
             */
            approvedAt: string | null;
        };
        StoreOperator: {
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
            /** @description The e-mail address. */
            email: string | null;
            /** @description As the identity provider says; null if it says none. */
            name: string | null;
            /**
             * Format: date-time
             * @description Since when.
             */
            joinedAt: string;
            /** @description Sales of customers that they attached in 30 days. */
            attached30Days: number;
        };
        Attachment: {
            /**
             * Format: uuid
             * @description The transaction.
             */
            transactionId: string;
            /**
             * Format: uuid
             * @description The customer.
             */
            userId: string;
            /** @description Before refunds. */
            points: number;
            /** @description Who attached it. */
            operator: components["schemas"]["Colleague"];
            /** @description How many sales of the last 30 days the same person attached to this customer. */
            byOperatorForMember30Days: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        Colleague: {
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
            /** @description Masked except for its first letter and its domain. */
            email: string | null;
            /** @description As the identity provider says; null if it says none. */
            name: string | null;
        };
        StoreOperatorInvite: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description The e-mail address. */
            email: string;
            /**
             * @description What became of the invite.
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "withdrawn" | "lapsed";
            /**
             * @description `existing_auth_user` when a user has this e-mail, verified.
             * @enum {string}
             */
            inviteEmailStatus: "sent" | "existing_auth_user";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        Transaction: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * @description The point-of-sale provider.
             * @enum {string}
             */
            provider: "alpha" | "beta";
            /** @description The provider's id of the payment. */
            providerPaymentId: string;
            /** @description What was paid, without a tip. */
            amountMinorUnits: number;
            /** @description ISO 4217. */
            currency: string;
            /**
             * Format: date-time
             * @description When the sale was, by its provider.
             */
            occurredAt: string;
            /**
             * @description What became of the payment; of a duplicate there is no second one.
             * @enum {string}
             */
            outcome: "credited" | "stored_anonymous" | "duplicate" | "no_rule_no_credit";
            /** @description Why the payment credited nothing, or less than its rule gives. */
            outcomeReason: string | null;
            /** @description Points that the payment earned. */
            pointsAwarded: number;
            /**
             * Format: uuid
             * @description The wallet that the points were credited to.
             */
            walletId: string | null;
            /** @description The version of the reward rule that counted. */
            ruleVersion: number | null;
            /**
             * Format: date-time
             * @description When the payment was stored.
             */
            createdAt: string;
            /** @description What was refunded of the amount so far. */
            refundedMinorUnits: number;
            /** @description Points taken back by refunds. */
            pointsReversed: number;
            /** @description Points still to be taken back, from what the consumer gets next. */
            pointsOwed: number;
            /** @description The provider's id of the shop's location. */
            locationId: string | null;
            /** @description Who the payment was matched to. */
            consumer: {
                /**
                 * Format: uuid
                 * @description The person.
                 */
                userId: string;
                /** @description Masked, except for its first letter and its domain. */
                email: string | null;
                /** @description Masked, except for its last three digits. */
                phone: string | null;
            } | null;
        };
        TransactionExplanation: {
            /**
             * Format: uuid
             * @description The transaction.
             */
            transactionId: string;
            /**
             * @description What became of the payment.
             * @enum {string}
             */
            outcome: "credited" | "stored_anonymous" | "duplicate" | "no_rule_no_credit";
            /** @description Why it earned nothing, or less than the rule gives; null otherwise. */
            outcomeReason: string | null;
            /** @description Points that the payment earned. */
            pointsAwarded: number;
            /** @description The version of the reward rule that decided; null without one. */
            ruleVersion: number | null;
            /** @description The outcome in a sentence. */
            summary: string;
            /** @description How the outcome was reached, with the values of the formula. */
            steps: string[];
            /** @description The same for programs, which write sentences of their own of it. */
            coded: {
                summary: components["schemas"]["CodedSentence"];
                /** @description One for each of `steps`, in their order. */
                steps: components["schemas"]["CodedSentence"][];
            };
            decision: components["schemas"]["Decision"];
        };
        ShopRedemption: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * Format: uuid
             * @description The wallet.
             */
            walletId: string;
            /** @description The shop. */
            tenant: {
                /**
                 * Format: uuid
                 * @description Its id, which never changes.
                 */
                id: string;
                /** @description The name of the shop. */
                name: string;
            };
            /**
             * @description `issued`: the code can be used. `expired`: overdue or cancelled, and not used.
             * @enum {string}
             */
            status: "issued" | "used" | "expired";
            /** @description Whether its consumer or an administrator cancelled it; it is `expired` then. */
            cancelled: boolean;
            /** @description The points that were redeemed. */
            points: number;
            /** @description What the till takes off, in minor units of the currency; 0 for an item. */
            discountValueMinorUnits: number;
            /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
            currency: string | null;
            /**
             * Format: date-time
             * @description When the points were exchanged for the code.
             */
            issuedAt: string;
            /**
             * Format: date-time
             * @description From then on the code cannot be used.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description Null unless the status is `used`.
             */
            usedAt: string | null;
            /** @description What the code is for; null for points that the till takes off. */
            reward: components["schemas"]["NamedReward"] | null;
            /** @description Whose points they are. */
            consumer: {
                /**
                 * Format: uuid
                 * @description The person.
                 */
                userId: string;
                /** @description Masked except for its first letter and its domain. */
                email: string | null;
                /** @description Masked except for its last three digits. */
                phone: string | null;
            };
            /** @description The operator who completed it. Null unless the status is `used`. */
            usedBy: components["schemas"]["Colleague"] | null;
        };
        Statistics: {
            /**
             * Format: date-time
             * @description Where the first interval begins.
             */
            from: string;
            /**
             * Format: date-time
             * @description Where the last interval ends.
             */
            to: string;
            /**
             * @description How the time is divided.
             * @enum {string}
             */
            interval: "day" | "week" | "month";
            /** @description By whose clocks. */
            timeZone: string;
            /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
            currency: string | null;
            /** @description In order, those without a sale as well. */
            intervals: components["schemas"]["IntervalStatistics"][];
            before: components["schemas"]["IntervalStatistics"];
            /** @description Null for a tenant with more than 50,000 consumers. */
            buyers: {
                /** @description Consumers who bought something in the time. */
                count: number;
                /** @description Those of them who had bought something before. */
                returning: number;
            } | null;
            /** @description Null for a tenant with more than 50,000 consumers. */
            buyersBefore: {
                /** @description Consumers who bought something in the time. */
                count: number;
                /** @description Those of them who had bought something before. */
                returning: number;
            } | null;
            /** @description The five consumers who bought most often in the time, the first of them most. Null for a tenant with more than 50,000 consumers. */
            topConsumers: components["schemas"]["TopConsumer"][] | null;
            today: components["schemas"]["SalesToday"];
            /** @description The balances of all consumers and the points in open codes, now. With more than 100,000 consumers the balances are those of the last hour. */
            pointsOutstanding: number;
            /** @description The worth of the outstanding points, whatever is owed. */
            liabilityMinorUnits: number;
            /** @description Points that were used before their sales were refunded, still to be taken, now. */
            pointsOwed: number;
            /**
             * Format: double
             * @description How many minor units a point was worth in the rewards that were used in the last 90 days; null where none was.
             */
            rewardFactor: number | null;
        };
        IntervalStatistics: {
            /**
             * Format: date-time
             * @description Where the interval begins.
             */
            from: string;
            /**
             * Format: date-time
             * @description Where it ends: the first moment after it.
             */
            to: string;
            /** @description The sales that occurred in the interval. */
            sales: {
                /** @description How many. */
                count: number;
                /** @description Their amounts, without tips; what is in another currency is left out. */
                amountMinorUnits: number;
            };
            /** @description Those of them that were matched to a consumer. */
            matched: {
                /** @description How many. */
                count: number;
                /** @description Their amounts, without tips; what is in another currency is left out. */
                amountMinorUnits: number;
            };
            /** @description Points that these sales earned, also those that were credited later. */
            pointsEarned: number;
            /** @description Points that refunds of these sales took back, also after the interval. */
            pointsReversed: number;
            /** @description Points of the codes that were issued in the interval. */
            pointsRedeemed: number;
            /** @description Points of the codes that were used in the interval, whenever they were issued. */
            pointsUsed: number;
            /** @description Points that came back from unused codes in the interval. */
            pointsReturned: number;
            /** @description Points that expired by the end of months whose last day is in the interval. */
            pointsExpired: number;
        };
        TopConsumer: {
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
            /** @description Masked except for its first letter and its domain. */
            email: string | null;
            /** @description Masked except for its last three digits. */
            phone: string | null;
            /** @description What the consumer bought in the time. */
            sales: {
                /** @description How many. */
                count: number;
                /** @description Their amounts, without tips; what is in another currency is left out. */
                amountMinorUnits: number;
            };
            /**
             * Format: date-time
             * @description When the last of these sales occurred.
             */
            lastSaleAt: string;
        };
        SalesToday: {
            /** @description Sales of today until now. */
            sales: {
                /** @description How many. */
                count: number;
                /** @description Their amounts, without tips; what is in another currency is left out. */
                amountMinorUnits: number;
            };
            /** @description How many sales are usual by this time: the lower median of the same day of the last four weeks; null if one of them had no sale. */
            usualCount: number | null;
        };
        DaySheet: {
            /**
             * Format: date-time
             * @description As it was asked for.
             */
            from: string;
            /**
             * Format: date-time
             * @description As it was asked for.
             */
            to: string;
            /** @description One for each person and currency; who took off the most comes first. */
            lines: {
                /** @description Null when that of the shop was not known yet. */
                currency: string | null;
                /** @description Codes that were used, those for items included. */
                codes: number;
                /** @description Codes for an item, which was handed out. */
                items: number;
                /** @description What was taken off, in minor units of the currency. */
                discountMinorUnits: number;
                /** @description Sales that were attached to a customer. */
                attachedSales: number;
                /** @description Who did it. */
                by: components["schemas"]["Colleague"];
            }[];
            /** @description Of all people; one for each currency. */
            totals: {
                /** @description Null when that of the shop was not known yet. */
                currency: string | null;
                /** @description Codes that were used, those for items included. */
                codes: number;
                /** @description Codes for an item, which was handed out. */
                items: number;
                /** @description What was taken off, in minor units of the currency. */
                discountMinorUnits: number;
                /** @description Sales that were attached to a customer. */
                attachedSales: number;
            }[];
        };
        Liability: {
            /** @description After the end of which month. */
            month: string;
            /**
             * Format: date-time
             * @description When the last consumers were counted; each is as of its own moment before it.
             */
            asOf: string;
            /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
            currency: string | null;
            /** @description What is left, and the points in open codes. */
            pointsOutstanding: number;
            /** @description What they are worth at the till. */
            minorUnits: number;
            /** @description Points in codes that were open. */
            openCodes: number;
            /**
             * Format: double
             * @description How many minor units a point was worth in the rewards that were used in the 90 days before; null where none was.
             */
            rewardFactor: number | null;
            /** @description The months in which what was due by the end of the month or later was earned. */
            months: components["schemas"]["EarningMonth"][];
        };
        EarningMonth: {
            /** @description In which they were earned; that of the first version of the programme for all before it. */
            month: string;
            /** @description Points that were credited. */
            earned: number;
            /** @description What refunds took of them. */
            reversed: number;
            /** @description What was spent of them otherwise, also in codes that are still open. */
            used: number;
            /** @description What the end of `month` took of them. */
            expired: number;
            /** @description The rest. */
            left: number;
        };
        Consumer: {
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
            /**
             * Format: uuid
             * @description The wallet.
             */
            walletId: string;
            /** @description Masked except for its first letter and its domain. */
            email: string | null;
            /** @description Masked except for its last three digits. */
            phone: string | null;
            /** @description Points in the wallet. */
            balance: number;
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "active" | "frozen";
            /**
             * Format: date-time
             * @description When the balance last changed.
             */
            lastActivityAt: string | null;
        };
        ConsumerDetail: {
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
            /** @description Masked except for its first letter and its domain. */
            email: string | null;
            /** @description Masked except for its last three digits. */
            phone: string | null;
            /** @description Whether sales with the e-mail are recognised. */
            emailVerified: boolean;
            /** @description Whether sales with the phone number are recognised. */
            phoneVerified: boolean;
            /** @description The wallet at this tenant. */
            wallet: components["schemas"]["Wallet"];
            visits: components["schemas"]["Visits"];
            /** @description The name of the tier; null for none. */
            tier: string | null;
            /** @description What expires next; null if nothing does. */
            expiring: {
                /** @description How many points. */
                points: number;
                /**
                 * Format: date-time
                 * @description Until when it is valid.
                 */
                expiresAt: string;
            } | null;
            /** @description The points that were asked for last. */
            goodwill: components["schemas"]["GoodwillRequest"] | null;
            /** @description The last 20 sales to the consumer. */
            transactions: components["schemas"]["Transaction"][];
            /** @description The last 20 that were issued. */
            redemptions: components["schemas"]["ShopRedemption"][];
        };
        Visits: {
            /** @description Sales in the currency of the shop, not refunded in full. */
            visits: number;
            /**
             * Format: date-time
             * @description Null without a visit.
             */
            firstVisitAt: string | null;
            /**
             * Format: date-time
             * @description Null without a visit.
             */
            lastVisitAt: string | null;
            /** @description Of a visit, after refunds. */
            averageMinorUnits: number;
            /** @description Of the last 12 months, after refunds. */
            yearMinorUnits: number;
        };
        GoodwillRequest: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * @description `open` until an administrator answers. Points are moved when it is granted.
             * @enum {string}
             */
            status: "open" | "granted" | "declined" | "withdrawn";
            /** @description How many points. */
            points: number;
            /** @description Null once the customer was erased. */
            reason: string | null;
            /** @description Why it was declined. */
            answer: string | null;
            /** @description Who is to get the points. */
            consumer: {
                /**
                 * Format: uuid
                 * @description The person.
                 */
                userId: string;
                /** @description Masked. */
                email: string | null;
                /** @description Masked. */
                phone: string | null;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Null while it is open.
             */
            closedAt: string | null;
        };
        FoundByMerchant: {
            /** @description What the text was read as; empty for nothing. */
            readAs: ("email" | "phone" | "memberNumber" | "code" | "paymentId" | "amount")[];
            /** @description Those of the tenant with exactly that contact. */
            consumers: components["schemas"]["Consumer"][];
            /** @description Sales of that amount in the last 90 days, the sale with that id, and those that named the contact while it was nobody’s, who have no customer yet. */
            transactions: components["schemas"]["Transaction"][];
            /** @description The redemption with that code. */
            redemptions: components["schemas"]["ShopRedemption"][];
        };
        ListTotals: {
            /** @description Of so many items at most, there are totals. */
            mostSummed: number;
            /** @description Null for more items than that. */
            totals: {
                /** @description Of the items. */
                count: number;
                /** @description Earned by sales, taken by redemptions, or held by consumers. */
                points: number;
                /** @description Points of these sales that refunds took back. */
                pointsReversed: number;
                /** @description By currency, the most frequent one first. */
                amounts: {
                    /** @description ISO 4217; null where there is none. */
                    currency: string | null;
                    /** @description Paid, taken off, or what the points are worth. */
                    amountMinorUnits: number;
                    /** @description Of what was paid. */
                    refundedMinorUnits: number;
                }[];
            } | null;
        };
        AuditEntry: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * @description `ops`: an operator of the service, by command or configuration, or the service.
             * @enum {string}
             */
            actor: "user" | "ops";
            /**
             * Format: uuid
             * @description Null for `ops`.
             */
            actorUserId: string | null;
            /** @description The user's e-mail as it is today. Merchants see those of their own people only. */
            actorEmail: string | null;
            /** @description Who ran the command, for `ops`. Null where there was none, and for merchants. */
            operator: string | null;
            /**
             * @description What was done.
             * @enum {string}
             */
            action: "wallet.freeze" | "wallet.unfreeze" | "wallet.adjust" | "user.approve" | "user.role" | "user.suspend" | "user.reinstate" | "user.grant_admin" | "user.bootstrap" | "key.rotate" | "connection.connect" | "connection.disconnect" | "operator.invite" | "operator.withdraw_invite" | "operator.accept" | "operator.remove" | "operator.leave" | "tenant.set_currency" | "tenant.set_time_zone" | "tenant.update" | "logo.update" | "logo.delete" | "rule.publish" | "programme.publish" | "campaign.publish" | "campaign.end" | "reward.publish" | "reward.end" | "tenant.suspend" | "tenant.reinstate" | "tenant.close" | "endpoint.create" | "endpoint.update" | "endpoint.delete" | "endpoint.rotate" | "endpoint.test" | "endpoint.replay" | "event.replay" | "event.dismiss" | "count.repair" | "day.bring_in" | "connection.lost" | "sale.attach" | "user.erase" | "import.upload" | "import.withdraw" | "import.approve" | "import.revert" | "goodwill.ask" | "goodwill.withdraw" | "goodwill.decline" | "code.mail";
            /**
             * @description What kind of thing it was done to.
             * @enum {string}
             */
            targetType: "wallet" | "user" | "key" | "connection" | "invite" | "tenant" | "rule" | "programme" | "campaign" | "reward" | "endpoint" | "event" | "transaction" | "import";
            /**
             * Format: uuid
             * @description Null for a key, and for counts of all connections.
             */
            targetId: string | null;
            /**
             * Format: uuid
             * @description The shop.
             */
            tenantId: string | null;
            /** @description Why. */
            reason: string | null;
            /** @description The state before the action. */
            before: {
                [key: string]: string | number | null;
            };
            /** @description The state after the action. */
            after: {
                [key: string]: string | number | null;
            };
            /** @description The correlation id of the request, which its caller may have chosen. */
            requestId: string;
            /**
             * Format: uuid
             * @description The id that the service gave the request. Null for `ops`, and for older entries.
             */
            generatedRequestId: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        WebhookEndpointWithSecret: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description Where events are sent to. */
            url: string;
            /** @description Null: events of all types. */
            types: components["schemas"]["EventType"][] | null;
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "active" | "disabled";
            /** @description Why the service disabled it. `gone`: it answered 410. `failing`: it took nothing for five days. Null when it is active, or the merchant disabled it. */
            disabledReason: ("gone" | "failing") | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
            /** @description Signs what is sent to it: `whsec_` and base64. It is shown this once. */
            secret: string;
        };
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description Where events are sent to. */
            url: string;
            /** @description Null: events of all types. */
            types: components["schemas"]["EventType"][] | null;
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "active" | "disabled";
            /** @description Why the service disabled it. `gone`: it answered 410. `failing`: it took nothing for five days. Null when it is active, or the merchant disabled it. */
            disabledReason: ("gone" | "failing") | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updatedAt: string;
        };
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * Format: uuid
             * @description The `webhook-id` of each attempt.
             */
            eventId: string;
            type: components["schemas"]["EventType"];
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description How many attempts there were. */
            attempt: number;
            /** @description How long the last attempt took. */
            milliseconds: number | null;
            /** @description Null when the last attempt got no answer. */
            responseStatus: number | null;
            /** @description The first 1 KiB of the last answer. */
            response: string | null;
            /** @description Why the last attempt failed; null if it did not. */
            error: string | null;
            /**
             * Format: date-time
             * @description Null when there is none, or it waits for the endpoint to be active.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        TenantEvent: {
            /**
             * Format: uuid
             * @description The `webhook-id` under which it is sent.
             */
            id: string;
            /**
             * @description What kind it is.
             * @enum {string}
             */
            type: "points.credited" | "points.reversed" | "points.adjusted" | "points.expired";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["PointsMoved"];
        } | {
            /**
             * Format: uuid
             * @description The `webhook-id` under which it is sent.
             */
            id: string;
            /**
             * @description What kind it is.
             * @enum {string}
             */
            type: "redemption.issued" | "redemption.used" | "redemption.expired";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["RedemptionChanged"];
        } | {
            /**
             * Format: uuid
             * @description The `webhook-id` under which it is sent.
             */
            id: string;
            /**
             * @description What kind it is.
             * @enum {string}
             */
            type: "connection.active" | "connection.lost";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["ConnectionChanged"];
        } | {
            /**
             * Format: uuid
             * @description The `webhook-id` under which it is sent.
             */
            id: string;
            /**
             * @description What kind it is.
             * @constant
             */
            type: "connection.gap";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["ConnectionGap"];
        } | {
            /**
             * Format: uuid
             * @description The `webhook-id` under which it is sent.
             */
            id: string;
            /**
             * @description What kind it is.
             * @constant
             */
            type: "operator.joined";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["OperatorJoined"];
        } | {
            /**
             * Format: uuid
             * @description The `webhook-id` under which it is sent.
             */
            id: string;
            /**
             * @description What kind it is.
             * @constant
             */
            type: "rule.published";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["RulePublished"];
        } | {
            /**
             * Format: uuid
             * @description The `webhook-id` under which it is sent.
             */
            id: string;
            /**
             * @description What kind it is.
             * @constant
             */
            type: "tier.changed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["TierChanged"];
        };
        PointsMoved: {
            /**
             * Format: uuid
             * @description The wallet.
             */
            walletId: string;
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
            /** @description How many points. */
            points: number;
            /** @description Points in the wallet after it. */
            balance: number;
            /**
             * Format: uuid
             * @description The ledger entry.
             */
            ledgerEntryId: string;
            /**
             * Format: uuid
             * @description The payment; null when none moved them.
             */
            transactionId: string | null;
        };
        RedemptionChanged: {
            /**
             * Format: uuid
             * @description The redemption.
             */
            redemptionId: string;
            /**
             * Format: uuid
             * @description The wallet.
             */
            walletId: string;
            /** @description How many points. */
            points: number;
            /** @description What the points are worth, in minor units of the currency. */
            discountValueMinorUnits: number;
            /** @description ISO 4217; null until the shop’s is known. */
            currency: string | null;
            /** @description Whether its consumer cancelled it. */
            cancelled: boolean;
            /** @description What the code is for; null for points that the till takes off. */
            reward: {
                /**
                 * Format: uuid
                 * @description Its id, which never changes.
                 */
                id: string;
                /** @description Its name. */
                name: string;
                /**
                 * @description Whether it is an amount or an item.
                 * @enum {string}
                 */
                kind: "amount" | "item";
            } | null;
        };
        ConnectionChanged: {
            /**
             * Format: uuid
             * @description The connection to the provider.
             */
            connectionId: string;
            /**
             * @description The point-of-sale provider.
             * @enum {string}
             */
            posType: "alpha" | "beta";
            /**
             * @description Why it was lost: disconnected by the merchant, or its token was refused.
             * @enum {string}
             */
            reason?: "disconnected" | "revoked";
        };
        ConnectionGap: {
            /**
             * Format: uuid
             * @description The connection to the provider.
             */
            connectionId: string;
            /**
             * @description The point-of-sale provider.
             * @enum {string}
             */
            posType: "alpha" | "beta";
            /** @description How many sales no webhook told. */
            payments: number;
            /**
             * Format: date-time
             * @description When the last sale was made that a webhook told.
             */
            since: string;
        };
        OperatorJoined: {
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
        };
        RulePublished: {
            /**
             * Format: uuid
             * @description The reward rule.
             */
            ruleId: string;
            /** @description The number of the version, from 1 on. */
            version: number;
            /**
             * Format: date-time
             * @description From when on it decides.
             */
            effectiveFrom: string;
        };
        TierChanged: {
            /**
             * Format: uuid
             * @description The wallet.
             */
            walletId: string;
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
            /** @description The key of the tier before; null for none. */
            from: string | null;
            /** @description The key of the tier from now on; null for none. */
            to: string | null;
            /**
             * @description Whether it was reached, or the term of the one before ended.
             * @enum {string}
             */
            cause: "reached" | "term_ended";
        };
        AnonymousSale: {
            /**
             * Format: uuid
             * @description The transaction.
             */
            transactionId: string;
            /** @description The amount without tip, in minor units of its currency. */
            amountMinorUnits: number;
            /** @description Of the amount; less than all of it. */
            refundedMinorUnits: number;
            /** @description ISO 4217; null until the shop’s is known. */
            currency: string;
            /**
             * Format: date-time
             * @description When the payment was made.
             */
            occurredAt: string;
            /** @description Where it was made, by the provider’s id. */
            locationId: string | null;
            /** @description The last four characters of the provider’s id of the payment. */
            receipt: string;
        };
        UsedRedemption: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description The points that were redeemed. */
            points: number;
            /** @description What the till takes off, in minor units of the currency; 0 for an item. */
            discountValueMinorUnits: number;
            /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
            currency: string | null;
            /** @description What the code is for; null for points that the till takes off. */
            reward: components["schemas"]["NamedReward"] | null;
            /**
             * Format: date-time
             * @description When it was used; null if it was not.
             */
            usedAt: string;
            /** @description The operator who completed it. */
            usedBy: components["schemas"]["Colleague"];
            /** @description Whose code it is. */
            customer: {
                /** @description The initials of the name, or the first letter of the e-mail. */
                initials: string;
            };
        };
        ServiceHealth: {
            /** @description Whether Postgres can be reached. */
            postgres: boolean;
            /** @description Whether Temporal can be reached. */
            temporal: boolean;
            /** @description The connections to providers. */
            connections: {
                /** @description Those that no longer let us in. */
                lost: components["schemas"]["AilingConnection"][];
                /** @description Those whose provider did not answer when it was asked last, at `since`. */
                away: components["schemas"]["AilingConnection"][];
                /** @description Those that were last polled at `since`, more than 150 minutes ago. */
                unpolled: components["schemas"]["AilingConnection"][];
            };
            /** @description What providers have sent. */
            events: {
                /** @description Stored events that are not ingested yet. */
                pending: number;
                /**
                 * Format: double
                 * @description In seconds; 0 when there is none.
                 */
                oldestPendingSeconds: number;
                /** @description Those of them that failed five times or more. */
                poisoned: number;
                /** @description Those that are older than seven days and are no longer retried. */
                givenUp: number;
            };
            /** @description For how long the longest due work of each kind has been due, if any is. */
            overdueWork: {
                /**
                 * @description What has to be done.
                 * @enum {string}
                 */
                kind: "decide_again" | "match_phones" | "match_signup" | "push_points" | "push_used_code" | "read_account" | "remind_of_loss" | "revoke_authorization" | "run_import" | "tell_of_change" | "tell_of_endpoint" | "tell_of_gap" | "tell_of_import" | "tell_of_points" | "tell_of_unusual" | "tell_of_waiting" | "tell_of_week" | "update_poll_schedule";
                /**
                 * Format: double
                 * @description In seconds; 0 when there is none.
                 */
                seconds: number;
            }[];
            /** @description What is sent to merchants. */
            webhooks: {
                /**
                 * Format: double
                 * @description For how long an event has waited to be sent to an endpoint that answers, in seconds.
                 */
                waitSeconds: number;
                /** @description Endpoints whose deliveries fail. */
                failing: {
                    /**
                     * Format: uuid
                     * @description The endpoint of webhooks.
                     */
                    endpointId: string;
                    /**
                     * Format: uuid
                     * @description The shop.
                     */
                    tenantId: string;
                    /** @description Its name. */
                    tenantName: string;
                    /** @description Whether nothing is sent there any more. */
                    isDisabled: boolean;
                    /**
                     * Format: date-time
                     * @description When a delivery failed first.
                     */
                    since: string;
                }[];
            };
            /** @description When the daily jobs ended last. */
            jobs: {
                /**
                 * Format: double
                 * @description In seconds; null before the first time.
                 */
                maintenanceSeconds: number | null;
                /**
                 * Format: double
                 * @description In seconds; null before the first time.
                 */
                statementsSeconds: number | null;
            };
            /** @description The backups; null where whatever makes them tells the database of none. */
            backups: {
                /**
                 * Format: double
                 * @description How old the newest stored change is, in seconds.
                 */
                logSeconds: number;
                /**
                 * Format: double
                 * @description How old the full copy is, in seconds.
                 */
                copySeconds: number;
                /**
                 * Format: double
                 * @description How long ago a copy was restored and verified, in seconds.
                 */
                checkSeconds: number;
                /** @description What is older than it may be. */
                aged: ("log" | "copy" | "check")[];
            } | null;
            /** @description What the verification of the ledger says. */
            ledger: {
                /**
                 * Format: double
                 * @description Since what moved was last verified, in seconds; null before the first verification.
                 */
                verifiedSeconds: number | null;
                /** @description Rows that were found wrong and not right since; 1,000 at most. */
                problems: number;
            };
        };
        AilingConnection: {
            /**
             * Format: uuid
             * @description The shop.
             */
            tenantId: string;
            /** @description Its name. */
            tenantName: string;
            /**
             * @description The point-of-sale provider.
             * @enum {string}
             */
            posType: "alpha" | "beta";
            /**
             * Format: date-time
             * @description Since when, as the list says.
             */
            since: string;
        };
        ListedTenant: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description ISO 3166-1, two letters. */
            country: string | null;
            /**
             * @description `suspended`: nobody earns or redeems points there. What is sold counts later.
             * @enum {string}
             */
            status: "active" | "suspended";
            /** @description Whether a connection has to be made again or is silent, or an endpoint was given up. Never of a suspended shop. */
            needsAttention: boolean;
            /**
             * Format: date-time
             * @description The newest sale, or the newest word of a connection.
             */
            lastHeardAt: string | null;
            /** @description The connections to providers. */
            connections: {
                /**
                 * @description The point-of-sale provider.
                 * @enum {string}
                 */
                posType: "alpha" | "beta";
                /**
                 * @description Its state.
                 * @enum {string}
                 */
                status: "active" | "disconnected";
                /** @description Lost: its merchant has to connect it again. */
                needsReconnect: boolean;
                /** @description Active, and not heard for three days. */
                isSilent: boolean;
                /**
                 * Format: date-time
                 * @description The newest webhook, or the newest poll.
                 */
                lastHeardAt: string | null;
            }[];
            /** @description Sales of the last 24 hours. */
            lastDay: {
                /** @description Sales that gave points. */
                credited: number;
                /** @description The others by the reason, the most frequent first. */
                notCredited: {
                    /** @description Why. */
                    reason: string;
                    /** @description How many. */
                    count: number;
                }[];
            };
            /** @description What is sent to the systems of the shop. */
            deliveries: {
                /** @description Events that have not reached an endpoint yet. */
                waiting: number;
                /** @description Endpoints that were given up. */
                disabledEndpoints: number;
            };
            /** @description People with a wallet at the shop. */
            consumerCount: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        TenantDetail: {
            tenant: components["schemas"]["Shop"];
            /** @description The newest active connection, else the newest. */
            posConnection: components["schemas"]["PosConnection"] | null;
            /** @description The highest version, also while it is scheduled; the list says which governs. */
            activeRule: {
                /**
                 * Format: uuid
                 * @description Its id, which never changes.
                 */
                id: string;
                /** @description The number of the version, from 1 on. */
                version: number;
                ruleConfig: components["schemas"]["RuleConfig"];
                /** @description Who published it, with the e-mail as it is today. Null if nobody signed in did. */
                createdBy: {
                    /**
                     * Format: uuid
                     * @description The person.
                     */
                    userId: string;
                    /** @description The e-mail address. */
                    email: string | null;
                } | null;
            } | null;
            stats: components["schemas"]["ShopCounts"];
            /** @description The connections to providers. */
            connections: components["schemas"]["PosConnection"][];
            /** @description The merchant who joined the tenant first. */
            owner: {
                /**
                 * Format: uuid
                 * @description The person.
                 */
                userId: string;
                /** @description The e-mail address. */
                email: string | null;
                /**
                 * @description Its state.
                 * @enum {string}
                 */
                status: "active" | "pending_approval" | "suspended";
            } | null;
            /** @description The latest ingested payment. */
            lastIngest: {
                /**
                 * Format: uuid
                 * @description The transaction.
                 */
                transactionId: string;
                /**
                 * @description The point-of-sale provider.
                 * @enum {string}
                 */
                provider: "alpha" | "beta";
                /**
                 * @description What became of the payment.
                 * @enum {string}
                 */
                outcome: "credited" | "stored_anonymous" | "duplicate" | "no_rule_no_credit";
                /**
                 * Format: date-time
                 * @description When.
                 */
                at: string;
            } | null;
            /** @description The latest error of a connection, or of an event that is not ingested yet. */
            lastError: {
                /**
                 * @description The point-of-sale provider.
                 * @enum {string}
                 */
                provider: "alpha" | "beta";
                /** @description What happened, in a sentence. */
                message: string;
                /**
                 * Format: date-time
                 * @description When.
                 */
                at: string;
            } | null;
        };
        AdminWallet: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * Format: uuid
             * @description The shop whose points these are.
             */
            tenantId: string;
            /** @description Points: the sum of the credits minus the sum of the debits. */
            balance: number;
            /** @description Points of purchases that were refunded after their points were used. They will be taken from what the wallet gets next; while there are any, the balance is 0. */
            owed: number;
            /** @description Points of sales that can still be returned: they cannot be redeemed yet. It may exceed the balance, once points of it were spent. */
            pending: number;
            /** @description What of the balance can be used now; not less than 0. */
            available: number;
            /**
             * Format: date-time
             * @description When the first of the pending points can be used; null if no points are pending.
             */
            nextRelease: string | null;
            /**
             * @description `frozen`: nothing can be redeemed, everything else goes on.
             * @enum {string}
             */
            status: "active" | "frozen";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When balance, debts or status last changed.
             */
            updatedAt: string;
            /** @description The shop. */
            tenant: {
                /**
                 * Format: uuid
                 * @description Its id, which never changes.
                 */
                id: string;
                /** @description The name of the shop. */
                name: string;
                /** @description How the shop looks. */
                branding: {
                    /**
                     * Format: uri
                     * @description The address of the logo; null without one.
                     */
                    logoUrl: string | null;
                    /** @description As `#rrggbb`; null without one. Apps keep the contrast of what they show in it. */
                    color: string | null;
                };
            };
            /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
            currency: string | null;
            /** @description The worth of the balance, in minor units of the currency. */
            worthMinorUnits: number;
            /** @description What a confirmation accepts at this moment. */
            redeemable: components["schemas"]["Redeemable"];
            /** @description What has to be available before points can be redeemed. Null without a rule in effect. */
            redeemsFrom: number | null;
            /** @description What payments earn by the rule in effect. Null when there is none. */
            earning: {
                /**
                 * Format: double
                 * @description Points for each minor unit of the amount paid.
                 */
                conversionRate: number;
                /** @description Smaller payments earn nothing. */
                minSpendMinorUnits: number;
            } | null;
            /**
             * Format: uuid
             * @description Whose wallet it is.
             */
            userId: string;
        };
        OwnedWallet: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * Format: uuid
             * @description The shop whose points these are.
             */
            tenantId: string;
            /** @description Points: the sum of the credits minus the sum of the debits. */
            balance: number;
            /** @description Points of purchases that were refunded after their points were used. They will be taken from what the wallet gets next; while there are any, the balance is 0. */
            owed: number;
            /** @description Points of sales that can still be returned: they cannot be redeemed yet. It may exceed the balance, once points of it were spent. */
            pending: number;
            /** @description What of the balance can be used now; not less than 0. */
            available: number;
            /**
             * Format: date-time
             * @description When the first of the pending points can be used; null if no points are pending.
             */
            nextRelease: string | null;
            /**
             * @description `frozen`: nothing can be redeemed, everything else goes on.
             * @enum {string}
             */
            status: "active" | "frozen";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When balance, debts or status last changed.
             */
            updatedAt: string;
            /** @description The shop. */
            tenant: {
                /**
                 * Format: uuid
                 * @description Its id, which never changes.
                 */
                id: string;
                /** @description The name of the shop. */
                name: string;
                /** @description How the shop looks. */
                branding: {
                    /**
                     * Format: uri
                     * @description The address of the logo; null without one.
                     */
                    logoUrl: string | null;
                    /** @description As `#rrggbb`; null without one. Apps keep the contrast of what they show in it. */
                    color: string | null;
                };
            };
            /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
            currency: string | null;
            /** @description The worth of the balance, in minor units of the currency. */
            worthMinorUnits: number;
            /** @description What a confirmation accepts at this moment. */
            redeemable: components["schemas"]["Redeemable"];
            /** @description What has to be available before points can be redeemed. Null without a rule in effect. */
            redeemsFrom: number | null;
            /** @description What payments earn by the rule in effect. Null when there is none. */
            earning: {
                /**
                 * Format: double
                 * @description Points for each minor unit of the amount paid.
                 */
                conversionRate: number;
                /** @description Smaller payments earn nothing. */
                minSpendMinorUnits: number;
            } | null;
            /**
             * Format: uuid
             * @description Whose wallet it is.
             */
            userId: string;
            /** @description Who that is. */
            owner: {
                /** @description Its name. */
                name: string | null;
                /** @description The e-mail address. */
                email: string | null;
                /** @description The phone number, as E.164. */
                phone: string | null;
            };
        };
        WalletStanding: {
            /**
             * Format: uuid
             * @description The wallet.
             */
            walletId: string;
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "active" | "frozen";
        };
        Adjustment: {
            /**
             * @description Always true.
             * @constant
             */
            ok: true;
            /**
             * Format: uuid
             * @description The wallet.
             */
            walletId: string;
            /** @description Points after the adjustment, and after what the wallet owed was taken from it. */
            balance: number;
            /**
             * Format: uuid
             * @description The entry of the adjustment itself.
             */
            ledgerEntryId: string;
        };
        WaitingGoodwillRequest: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /** @description How many points. */
            points: number;
            /** @description Null once the customer was erased. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The wallet.
             */
            walletId: string;
            /** @description Of the wallet now. */
            balance: number;
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
            /** @description Of the customer. */
            email: string | null;
            /** @description Of the customer. */
            phone: string | null;
            /**
             * Format: uuid
             * @description The shop.
             */
            tenantId: string;
            /** @description The name of the shop. */
            tenantName: string;
            /**
             * @description Of the shop, now.
             * @enum {string}
             */
            tenantStatus: "active" | "suspended";
            /** @description Who asks. */
            requestedBy: {
                /**
                 * Format: uuid
                 * @description The person.
                 */
                userId: string;
                /** @description The e-mail address. */
                email: string | null;
            };
        };
        AdminImport: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * @description `draft` until an administrator approves it; `running` while its rows are brought over, `reverting` while they are taken back.
             * @enum {string}
             */
            status: "draft" | "running" | "done" | "withdrawn" | "reverting" | "reverted";
            /** @description Below the header, those with mistakes included. */
            rows: number;
            /** @description Of the rows without mistakes, in all. */
            points: number;
            /** @description The lines that were left out, at most 100. */
            invalid: {
                /** @description The header is line 1. */
                line: number;
                code: components["schemas"]["IssueCode"];
            }[];
            /** @description Rows whose customers have their points. Null for merchants until it is approved. */
            matched: number | null;
            /** @description Rows whose customers have not signed up yet: for 12 months after the approval if they go by an e-mail, for 90 days if by a phone. Null for merchants until it is approved. */
            waiting: number | null;
            /** @description Rows of customers who were brought over before. Null for merchants until it is approved. */
            repeated: number | null;
            /** @description Points that a revert could not take back: they had been used. */
            notTaken: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Null until it is approved.
             */
            approvedAt: string | null;
            /**
             * Format: uuid
             * @description The shop.
             */
            tenantId: string;
            /** @description The name of the shop. */
            tenantName: string;
        };
        NamedAuditEntry: {
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * @description `ops`: an operator of the service, by command or configuration, or the service.
             * @enum {string}
             */
            actor: "user" | "ops";
            /**
             * Format: uuid
             * @description Null for `ops`.
             */
            actorUserId: string | null;
            /** @description The user's e-mail as it is today. Merchants see those of their own people only. */
            actorEmail: string | null;
            /** @description Who ran the command, for `ops`. Null where there was none, and for merchants. */
            operator: string | null;
            /**
             * @description What was done.
             * @enum {string}
             */
            action: "wallet.freeze" | "wallet.unfreeze" | "wallet.adjust" | "user.approve" | "user.role" | "user.suspend" | "user.reinstate" | "user.grant_admin" | "user.bootstrap" | "key.rotate" | "connection.connect" | "connection.disconnect" | "operator.invite" | "operator.withdraw_invite" | "operator.accept" | "operator.remove" | "operator.leave" | "tenant.set_currency" | "tenant.set_time_zone" | "tenant.update" | "logo.update" | "logo.delete" | "rule.publish" | "programme.publish" | "campaign.publish" | "campaign.end" | "reward.publish" | "reward.end" | "tenant.suspend" | "tenant.reinstate" | "tenant.close" | "endpoint.create" | "endpoint.update" | "endpoint.delete" | "endpoint.rotate" | "endpoint.test" | "endpoint.replay" | "event.replay" | "event.dismiss" | "count.repair" | "day.bring_in" | "connection.lost" | "sale.attach" | "user.erase" | "import.upload" | "import.withdraw" | "import.approve" | "import.revert" | "goodwill.ask" | "goodwill.withdraw" | "goodwill.decline" | "code.mail";
            /**
             * @description What kind of thing it was done to.
             * @enum {string}
             */
            targetType: "wallet" | "user" | "key" | "connection" | "invite" | "tenant" | "rule" | "programme" | "campaign" | "reward" | "endpoint" | "event" | "transaction" | "import";
            /**
             * Format: uuid
             * @description Null for a key, and for counts of all connections.
             */
            targetId: string | null;
            /**
             * Format: uuid
             * @description The shop.
             */
            tenantId: string | null;
            /** @description Why. */
            reason: string | null;
            /** @description The state before the action. */
            before: {
                [key: string]: string | number | null;
            };
            /** @description The state after the action. */
            after: {
                [key: string]: string | number | null;
            };
            /** @description The correlation id of the request, which its caller may have chosen. */
            requestId: string;
            /**
             * Format: uuid
             * @description The id that the service gave the request. Null for `ops`, and for older entries.
             */
            generatedRequestId: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the tenant is called today. */
            tenantName: string | null;
            /** @description In which its amounts are. */
            tenantCurrency: string | null;
            /**
             * Format: uuid
             * @description The user who was acted on, or whose wallet was.
             */
            targetUserId: string | null;
            /** @description That user's e-mail, or phone without one; of an invite the invited address. */
            targetContact: string | null;
        };
        FoundUser: {
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
            /** @description As the identity provider says. */
            name: string | null;
            /** @description The e-mail address. */
            email: string | null;
            /** @description Whether the identity provider vouches for it. */
            emailVerified: boolean;
            /** @description The phone number, as E.164. */
            phone: string | null;
            /** @description Whether the identity provider vouches for it. */
            phoneVerified: boolean;
            /**
             * @description What the person is in the service.
             * @enum {string}
             */
            role: "consumer" | "client" | "pos_operator" | "admin";
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "active" | "pending_approval" | "suspended";
            /** @description The shops that the person belongs to; for a consumer those with a wallet. */
            tenantIds: string[];
            /** @description The tenant for which a client or operator has worked for longest. */
            shop: {
                /**
                 * Format: uuid
                 * @description The shop.
                 */
                tenantId: string;
                /** @description Its name. */
                name: string;
                /** @description ISO 3166-1, two letters. */
                country: string | null;
            } | null;
            /** @description What somebody says of their shop who asks to become a merchant, until that is decided. */
            application: components["schemas"]["Application"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        FoundId: {
            /**
             * @description A payment at a shop.
             * @constant
             */
            kind: "transaction";
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * @description The point-of-sale provider.
             * @enum {string}
             */
            provider: "alpha" | "beta";
            /** @description The id that the provider gave the payment. */
            providerPaymentId: string;
            /** @description The amount without tip, in minor units of its currency. */
            amountMinorUnits: number;
            /** @description ISO 4217; null until the shop’s is known. */
            currency: string;
            /**
             * Format: date-time
             * @description When the payment was made.
             */
            occurredAt: string;
            /**
             * Format: uuid
             * @description Null while no consumer is known.
             */
            walletId: string | null;
            /**
             * Format: uuid
             * @description The shop.
             */
            tenantId: string;
            /** @description Its name. */
            tenantName: string;
            /** @description Of its consumer. */
            email: string | null;
            /** @description Of its consumer. */
            phone: string | null;
        } | {
            /**
             * @description A redemption, whatever became of its code.
             * @constant
             */
            kind: "redemption";
            /**
             * Format: uuid
             * @description Its id, which never changes.
             */
            id: string;
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "issued" | "used" | "expired";
            /** @description Whether it was cancelled; it is `expired` then. */
            cancelled: boolean;
            /** @description What the points are worth, in minor units of the currency. */
            discountValueMinorUnits: number;
            /** @description ISO 4217; null until the shop’s is known. */
            currency: string | null;
            /** @description What the code is for; null for points that the till takes off. */
            reward: components["schemas"]["NamedReward"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The wallet.
             */
            walletId: string;
            /**
             * Format: uuid
             * @description The shop.
             */
            tenantId: string;
            /** @description Its name. */
            tenantName: string;
            /** @description Of its consumer. */
            email: string | null;
            /** @description Of its consumer. */
            phone: string | null;
        } | {
            /**
             * @description A request to the service.
             * @constant
             */
            kind: "request";
            /** @description The correlation id, by which the audit log is filtered. */
            requestId: string;
            /**
             * @description The last action of the request.
             * @enum {string}
             */
            action: "wallet.freeze" | "wallet.unfreeze" | "wallet.adjust" | "user.approve" | "user.role" | "user.suspend" | "user.reinstate" | "user.grant_admin" | "user.bootstrap" | "key.rotate" | "connection.connect" | "connection.disconnect" | "operator.invite" | "operator.withdraw_invite" | "operator.accept" | "operator.remove" | "operator.leave" | "tenant.set_currency" | "tenant.set_time_zone" | "tenant.update" | "logo.update" | "logo.delete" | "rule.publish" | "programme.publish" | "campaign.publish" | "campaign.end" | "reward.publish" | "reward.end" | "tenant.suspend" | "tenant.reinstate" | "tenant.close" | "endpoint.create" | "endpoint.update" | "endpoint.delete" | "endpoint.rotate" | "endpoint.test" | "endpoint.replay" | "event.replay" | "event.dismiss" | "count.repair" | "day.bring_in" | "connection.lost" | "sale.attach" | "user.erase" | "import.upload" | "import.withdraw" | "import.approve" | "import.revert" | "goodwill.ask" | "goodwill.withdraw" | "goodwill.decline" | "code.mail";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The shop.
             */
            tenantId: string | null;
            /** @description Its name. */
            tenantName: string | null;
            /** @description Of who asked. */
            actorEmail: string | null;
        };
        UserDetail: {
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
            /** @description As the identity provider says. */
            name: string | null;
            /** @description The e-mail address. */
            email: string | null;
            /** @description Whether the identity provider vouches for it. */
            emailVerified: boolean;
            /** @description The phone number, as E.164. */
            phone: string | null;
            /** @description Whether the identity provider vouches for it. */
            phoneVerified: boolean;
            /**
             * @description What the person is in the service.
             * @enum {string}
             */
            role: "consumer" | "client" | "pos_operator" | "admin";
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "active" | "pending_approval" | "suspended";
            /** @description The shops that the person belongs to; for a consumer those with a wallet. */
            tenantIds: string[];
            /** @description The tenant for which a client or operator has worked for longest. */
            shop: {
                /**
                 * Format: uuid
                 * @description The shop.
                 */
                tenantId: string;
                /** @description Its name. */
                name: string;
                /** @description ISO 3166-1, two letters. */
                country: string | null;
            } | null;
            /** @description What somebody says of their shop who asks to become a merchant, until that is decided. */
            application: components["schemas"]["Application"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description The user's wallets, oldest first. */
            wallets: components["schemas"]["AdminWallet"][];
            /** @description The tenants that the user owns or works for, first joined first. */
            memberships: components["schemas"]["Membership"][];
            /** @description Null unless they are to be erased, or were. */
            erasure: components["schemas"]["Erasure"] | null;
        };
        Membership: {
            /**
             * Format: uuid
             * @description The shop.
             */
            tenantId: string;
            /** @description The tenant's name. */
            name: string;
            /**
             * @description `owner`: a merchant of the tenant.
             * @enum {string}
             */
            role: "owner" | "operator";
            /**
             * Format: date-time
             * @description Since when.
             */
            joinedAt: string;
        };
        UserStanding: {
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
            /**
             * @description What the person is in the service.
             * @enum {string}
             */
            role: "consumer" | "client" | "pos_operator" | "admin";
            /**
             * @description Its state.
             * @enum {string}
             */
            status: "active" | "pending_approval" | "suspended";
            /**
             * Format: uuid
             * @description The client's workspace, if there is one.
             */
            tenantId?: string;
        };
        ShopStanding: {
            /**
             * Format: uuid
             * @description The shop.
             */
            tenantId: string;
            /**
             * @description `suspended`: nobody earns or redeems points there. What is sold counts later.
             * @enum {string}
             */
            status: "active" | "suspended";
        };
    };
    responses: {
        /** @description INTERNAL_ERROR. */
        InternalError: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description UNAUTHORIZED. */
        InvalidToken: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description RATE_LIMITED. */
        RateLimited: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INTERNAL_ERROR. */
        Unavailable: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description VALIDATION_ERROR. */
        InvalidRequest: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description VALIDATION_ERROR. */
        TooLarge: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description VALIDATION_ERROR. */
        UnsupportedMediaType: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description FORBIDDEN. */
        Forbidden: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description IDEMPOTENCY_REPLAY. */
        StillRunning: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description IDEMPOTENCY_REPLAY. */
        KeyOfAnotherRequest: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description UNAUTHORIZED. */
        Unauthorized: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INSUFFICIENT_ROLE. */
        InsufficientRole: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description VALIDATION_ERROR. */
        InvalidQuery: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description NOT_FOUND. */
        NotFound: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
        InsufficientRoleOrForbidden: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description TENANT_NOT_FOUND. */
        TenantNotFound: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description RULE_REJECTED. */
        RuleRejected: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INSUFFICIENT_ROLE or TENANT_FORBIDDEN. */
        InsufficientRoleOrTenantForbidden: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description TENANT_NOT_FOUND or NOT_FOUND. */
        TenantNotFoundOrNotFound: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description UNAUTHORIZED. */
        UnauthorizedAdministrator: {
            headers: {
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
        "X-Correlation-Id": string;
        /** @description The id of the shop: its tenant. */
        tenantId: string;
        /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
        "Idempotency-Key": string;
        /** @description Where the page starts, taken from the `Link` header of the previous page. */
        cursor: string;
        /** @description How many items to return. 100 is the most; more counts as that. */
        limit: number;
        /** @description The id of the wallet. */
        walletId: string;
        /** @description The id of the event, the same in each attempt. Handle each id once. */
        "webhook-id": string;
        /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
        "webhook-timestamp": string;
        /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
        "webhook-signature": string;
        /** @description The id of the user. */
        userId: string;
        /** @description The shop to work in, needed by an operator of several. */
        "X-Tenant-Id": string;
        /** @description The id of the endpoint that gets webhooks. */
        endpointId: string;
        /** @description Of CSV with `columns=named`: `de` for German; anything else is English. */
        "Accept-Language": string;
        /** @description Of CSV: `fields` as in JSON, or `named` for spreadsheets, as with transactions. */
        columns: "fields" | "named";
        /** @description Of `named` columns; by default the shop's, or UTC. */
        timeZone: string;
        /** @description The id of the invite. */
        inviteId: string;
        /** @description The id of the redemption. */
        redemptionId: string;
        /** @description The id of the import. */
        importId: string;
        /** @description Only those with this status now. */
        status: "issued" | "used" | "expired";
        /** @description The id of the connection to a provider. */
        connectionId: string;
        /** @description The id of the transaction, which is the service’s own for a payment. */
        transactionId: string;
        /** @description The id of the request for points. */
        goodwillId: string;
        /** @description What the link in the mail has. */
        token: string;
        /** @description The id of the reward. */
        rewardId: string;
        /** @description The id of the last event that the client has, to resume from there. Within ten minutes. */
        "Last-Event-ID": string;
        /** @description The id of the campaign. */
        campaignId: string;
        /** @description Payments of this outcome. */
        outcome: "credited" | "stored_anonymous" | "duplicate" | "no_rule_no_credit";
        /** @description Sales of this time and later. */
        from: string;
        /** @description Sales before this time. */
        to: string;
        /** @description The provider's id of the payment, as a whole. */
        q: string;
        /** @description Only those who owe points for refunded purchases. */
        owes: "true";
        /** @description Only those with more than 5 sales that earned points and codes within 24 hours, lately. */
        unusual: "true";
        /** @description Entries of this action. */
        action: "wallet.freeze" | "wallet.unfreeze" | "wallet.adjust" | "user.approve" | "user.role" | "user.suspend" | "user.reinstate" | "user.grant_admin" | "user.bootstrap" | "key.rotate" | "connection.connect" | "connection.disconnect" | "operator.invite" | "operator.withdraw_invite" | "operator.accept" | "operator.remove" | "operator.leave" | "tenant.set_currency" | "tenant.set_time_zone" | "tenant.update" | "logo.update" | "logo.delete" | "rule.publish" | "programme.publish" | "campaign.publish" | "campaign.end" | "reward.publish" | "reward.end" | "tenant.suspend" | "tenant.reinstate" | "tenant.close" | "endpoint.create" | "endpoint.update" | "endpoint.delete" | "endpoint.rotate" | "endpoint.test" | "endpoint.replay" | "event.replay" | "event.dismiss" | "count.repair" | "day.bring_in" | "connection.lost" | "sale.attach" | "user.erase" | "import.upload" | "import.withdraw" | "import.approve" | "import.revert" | "goodwill.ask" | "goodwill.withdraw" | "goodwill.decline" | "code.mail";
        /** @description The id of what was acted on. */
        target: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of the request, which is also the `requestId` of errors. */
        "X-Correlation-Id": string;
        /** @description How many requests (q) are allowed in how many seconds (w). Absent without a limit. */
        "RateLimit-Policy": string;
        /** @description How many requests are left (r), and the seconds until the full quota is back (t). */
        RateLimit: string;
        /** @description `true` when the response is the stored one of an earlier request. */
        "Idempotency-Replayed": string;
        /** @description The kind of proof that is missing: `Bearer`. */
        "WWW-Authenticate": string;
        /** @description Seconds to wait. */
        "Retry-After": number;
        /** @description The address of the next page, with `rel="next"`. Absent on the last page. */
        Link: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listStatementKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The first 16 characters of the SHA-256 of the key. */
                        keyId: string;
                        /**
                         * @description How it signs.
                         * @constant
                         */
                        algorithm: "Ed25519";
                        /** @description The 32 bytes of the key, in hexadecimal. */
                        publicKey: string;
                    }[];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    showProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
            401: components["responses"]["InvalidToken"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description In which mails are to be written.
                     * @enum {string}
                     */
                    language: "en" | "de";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserProfile"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name that consumers see. */
                    shopName: string;
                    /** @description Under which the shop can be asked; nothing is matched by it. */
                    phone: string;
                    /**
                     * Format: uri
                     * @description Of the shop, if it has one.
                     */
                    website?: string;
                    /** @description Why, in a sentence. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showNotices: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notices"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeNotices: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Of which points a customer is mailed: their first at a shop, each, or none.
                     * @enum {string}
                     */
                    points?: "first" | "each" | "never";
                    /** @description Whether a merchant is mailed each Monday what the week was like. */
                    weekly?: boolean;
                    /** @description Whether an administrator is mailed when merchants wait for their answer. */
                    waiting?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notices"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    openStopLink: {
        parameters: {
            query: {
                /** @description What the link in the mail has. */
                token: components["parameters"]["token"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            302: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Not changed since the version that `If-None-Match` names. */
            304: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidQuery"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
        };
    };
    stopNotices: {
        parameters: {
            query: {
                /** @description What the link in the mail has. */
                token: components["parameters"]["token"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoppedNotices"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
        };
    };
    addPushSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the browser’s push service: https, at a public address. */
                    endpoint: string;
                    /** @description For which what is sent there is encrypted. */
                    keys: {
                        /** @description The public key of the browser, in base64url. */
                        p256dh: string;
                        /** @description The secret of the browser, in base64url. */
                        auth: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedPushSubscription"];
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removePushSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the subscription, as adding it answered. */
                pushSubscriptionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedPushSubscription"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the invite. */
                inviteId: components["parameters"]["inviteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnInvite"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the invite. */
                inviteId: components["parameters"]["inviteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteDecision"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    declineInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the invite. */
                inviteId: components["parameters"]["inviteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteDecision"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWallets: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    joinShop: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The shop.
                     */
                    tenantId: string;
                };
            };
        };
        responses: {
            /** @description You have one there already. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /** @description Success. */
            201: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["TenantNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showJoinableShop: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinableShop"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showMemberCard: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberCard"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateMemberNumber: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberCard"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            /** @description RATE_LIMITED. */
            429: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWalletHistory: {
        parameters: {
            query?: {
                /** @description Only those of purchases, of codes, of corrections, or of expiry. */
                sourceType?: "payment" | "redemption" | "adjustment" | "expiry";
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: number;
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntry"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    explainHistoryEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
                /** @description The id of the ledger entry. */
                entryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntryExplanation"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportOwnData: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnData"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            /** @description RATE_LIMITED. */
            429: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showErasure: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestErasure: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description So that nobody does it by mistake.
                     * @constant
                     */
                    confirm: "ERASE";
                };
            };
        };
        responses: {
            /** @description It was asked for already. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawErasure: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                        /**
                         * Format: uuid
                         * @description The erasure.
                         */
                        erasureId: string;
                        /**
                         * @description Nothing is erased.
                         * @constant
                         */
                        status: "withdrawn";
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    proveWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The version of this form.
                         * @constant
                         */
                        format: "loyalty-wallet-proof/v1";
                        /**
                         * Format: uuid
                         * @description The wallet.
                         */
                        walletId: string;
                        /**
                         * Format: uuid
                         * @description The shop.
                         */
                        tenantId: string;
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        createdAt: string;
                        /** @description The entry before the first one, all zero for a whole history. */
                        base: {
                            /** @description The number of the entry in its wallet, from 1 on. */
                            seq: number;
                            /** @description Points in the wallet. */
                            balance: number;
                            /** @description SHA-256 over the entry and the hash before it, in hexadecimal. */
                            hash: string;
                        };
                        /** @description The entries after that one, oldest first. */
                        entries: {
                            /**
                             * Format: uuid
                             * @description Its id, which never changes.
                             */
                            id: string;
                            /** @description The number of the entry in its wallet, from 1 on. */
                            seq: number;
                            /**
                             * @description Whether points came in or went out.
                             * @enum {string}
                             */
                            entryType: "credit" | "debit";
                            /** @description How many points. */
                            points: number;
                            /** @description Points in the wallet after the entry. */
                            balanceAfter: number;
                            /** @description Why. */
                            reason: string;
                            /** @description What caused the entry. */
                            sourceType: string;
                            /**
                             * Format: uuid
                             * @description The id of what caused it.
                             */
                            sourceId: string;
                            /** @description Microseconds since 1970, as text. */
                            createdAtMicroseconds: string;
                            /** @description SHA-256 over the entry and the hash before it, in hexadecimal. */
                            hash: string;
                        }[];
                        /** @description Null while no statement names the wallet. */
                        inclusion: {
                            /** @description The entry of the wallet that the statement names. */
                            seq: number;
                            /** @description Where in the tree of the first statement the wallet is. */
                            index: number;
                            /** @description The hashes beside it, from the leaf to the root. */
                            path: string[];
                        } | null;
                        /** @description From the last one that names the wallet to the newest of its tenant. */
                        statements: {
                            /** @description What was signed. */
                            text: string;
                            /** @description Its signature, in hexadecimal. */
                            signature: string;
                        }[];
                        /** @description The keys that sign statements. */
                        keys: {
                            /** @description The first 16 characters of the SHA-256 of the key. */
                            keyId: string;
                            /**
                             * @description How it signs.
                             * @constant
                             */
                            algorithm: "Ed25519";
                            /** @description The 32 bytes of the key, in hexadecimal. */
                            publicKey: string;
                        }[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["RuleRejected"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showWalletProgramme: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumerProgramme"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWalletRewards: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumerReward"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeemReward: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
                /** @description The id of the reward. */
                rewardId: components["parameters"]["rewardId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What to show at the till: 12 hexadecimal digits. */
                        redemptionCode: string;
                        /**
                         * Format: date-time
                         * @description From then on the code cannot be used.
                         */
                        expiresAt: string;
                        /**
                         * Format: uuid
                         * @description Names the redemption in lists, and to cancel it.
                         */
                        redemptionId: string;
                        /** @description The points that were redeemed. */
                        points: number;
                        /** @description What the till takes off, in minor units of the currency; 0 for an item. */
                        discountValueMinorUnits: number;
                        /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
                        currency: string | null;
                        reward: components["schemas"]["NamedReward"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description INSUFFICIENT_BALANCE or RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showWalletValidity: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Validity"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewRedemption: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How many points to redeem. */
                    pointsToRedeem: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The points that a confirmation would redeem. */
                        eligiblePoints: number;
                        /** @description What the till takes off, in minor units of the currency; 0 for an item. */
                        discountValueMinorUnits: number;
                        /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
                        currency: string | null;
                        /** @description Points before the redemption. */
                        currentBalance: number;
                        /** @description Points after the redemption. */
                        newBalance: number;
                        /** @description What a confirmation accepts of the current balance. */
                        redeemable: components["schemas"]["Redeemable"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description INSUFFICIENT_BALANCE or RULE_REJECTED. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmRedemption: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How many points to redeem. */
                    pointsToRedeem: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What to show at the till: 12 hexadecimal digits. */
                        redemptionCode: string;
                        /**
                         * Format: date-time
                         * @description From then on the code cannot be used.
                         */
                        expiresAt: string;
                        /**
                         * Format: uuid
                         * @description Names the redemption in lists, and to cancel it.
                         */
                        redemptionId: string;
                        /** @description The points that were redeemed. */
                        points: number;
                        /** @description What the till takes off, in minor units of the currency; 0 for an item. */
                        discountValueMinorUnits: number;
                        /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
                        currency: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description INSUFFICIENT_BALANCE or RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRedemptions: {
        parameters: {
            query?: {
                /** @description Only those with this status now. */
                status?: components["parameters"]["status"];
                /** @description Only those of this wallet. */
                walletId?: string;
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redemption"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showRedemption: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the redemption. */
                redemptionId: components["parameters"]["redemptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redemption"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRedemption: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the redemption. */
                redemptionId: components["parameters"]["redemptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redemption"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    followEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description The id of the last event that the client has, to resume from there. Within ten minutes. */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @description What `Last-Event-ID` takes. */
                        id: string;
                        /**
                         * @description The kind of the event.
                         * @constant
                         */
                        event: "wallet";
                        data: components["schemas"]["Wallet"];
                    } | {
                        /** @description What `Last-Event-ID` takes. */
                        id: string;
                        /**
                         * @description The kind of the event.
                         * @constant
                         */
                        event: "redemption";
                        data: components["schemas"]["Redemption"];
                    } | {
                        /** @description What `Last-Event-ID` takes. */
                        id: string;
                        /**
                         * @description The kind of the event.
                         * @constant
                         */
                        event: "reset";
                        /** @description Nothing. Read again what you show. */
                        data: Record<string, never>;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    bootstrapWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description The shop.
                         */
                        tenantId: string;
                        /** @description Whether this request created it. */
                        created: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantOverview"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateOnboarding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The point-of-sale provider that the shop uses. */
                    posProviderPreference?: ("alpha" | "beta" | "other") | null;
                    /** @description The name that consumers see. */
                    businessName?: string | null;
                    /** @description An officially assigned code of ISO 3166-1 alpha-2, in either case. */
                    country?: string | null;
                    /** @description Of the shop, while it is not known yet: connecting an account sets it as well. */
                    currency?: string;
                    /** @description More about the shop, merged key by key. */
                    profile?: {
                        /** @description The number under which the shop pays taxes. */
                        taxId?: string | null;
                        /** @description Street and number. */
                        addressLine?: string | null;
                        /** @description The place. */
                        city?: string | null;
                        /** @description Which of its places at alpha is meant. */
                        alphaLocationHint?: string | null;
                        /** @description What beta calls the shop. */
                        betaMerchantRef?: string | null;
                        /** @description About another provider. */
                        otherPosNotes?: string | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description The shop.
                         */
                        tenantId: string;
                        /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
                        currency: string | null;
                        onboarding: components["schemas"]["Onboarding"];
                    };
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadLogo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What the picture is encoded as.
                     * @enum {string}
                     */
                    contentType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
                    /** @description The picture in padded base64. It is decoded, scaled down and encoded again. */
                    base64Data: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description The address of the new logo.
                         */
                        logoUrl: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeLogo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateBranding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As `#rrggbb`. */
                    color: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How the shop looks. */
                        branding: {
                            /**
                             * Format: uri
                             * @description The address of the logo; null without one.
                             */
                            logoUrl: string | null;
                            /** @description As `#rrggbb`; null without one. Apps keep the contrast of what they show in it. */
                            color: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPosConnections: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PosConnection"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    connectAlpha: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description Where to send the browser.
                         */
                        authorizationUrl: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    connectBeta: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description Where to send the browser.
                         */
                        authorizationUrl: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTruthDays: {
        parameters: {
            query?: {
                /** @description The first day; by default 29 days before the last. */
                from?: string;
                /** @description The last day; by default today. */
                to?: string;
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the connection to a provider. */
                connectionId: components["parameters"]["connectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TruthDay"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    repairDay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the connection to a provider. */
                connectionId: components["parameters"]["connectionId"];
                /** @description A day on the clocks of the shop. */
                day: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description The connection to the provider.
                         */
                        connectionId: string;
                        /**
                         * Format: date
                         * @description A day on the clocks of the shop.
                         */
                        day: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disconnectPos: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the connection to a provider. */
                connectionId: components["parameters"]["connectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                        /**
                         * Format: uuid
                         * @description The connection to the provider.
                         */
                        connectionId: string;
                        /**
                         * @description Its state.
                         * @constant
                         */
                        status: "disconnected";
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRewardRules: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewardRule"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishRewardRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: double
                     * @description Points for each minor unit of the amount. At most 6 decimals.
                     */
                    conversionRate: number;
                    /**
                     * @description A payment of less, in minor units, earns nothing.
                     * @default 0
                     */
                    minSpendMinorUnits?: number;
                    /**
                     * @description The most that a payment earns; null for no limit.
                     * @default null
                     */
                    maxPointsPerTransaction?: number | null;
                    /**
                     * @description With a smaller balance nothing can be redeemed.
                     * @default 0
                     */
                    minBalanceToRedeem?: number;
                    /**
                     * Format: double
                     * @description Of the balance, what may be redeemed in 24 hours. At most 6 decimals.
                     * @default 100
                     */
                    maxRedemptionPercentage?: number;
                    /**
                     * @description How a fraction of a point is rounded; `round` rounds halves up.
                     * @default floor
                     * @enum {string}
                     */
                    roundingPolicy?: "floor" | "ceil" | "round";
                    /**
                     * Format: date-time
                     * @description From when on it governs. By default, from its publication on.
                     */
                    effectiveFrom?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewardRule"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProgrammeVersions: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgrammeVersion"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishProgramme: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description By whose clocks months and days of the shop begin, such as `Europe/Berlin`. By default the shop's: the first version sets it, and only support can correct it. */
                    timeZone?: string;
                    /**
                     * @description For how many months after the one in which they were earned points are valid; null for ever.
                     * @default null
                     */
                    validityMonths?: number | null;
                    /**
                     * @description How many days before the last one customers are told of points that expire.
                     * @default 14
                     */
                    expiryNoticeDays?: number;
                    /**
                     * @description For how many days after a sale its points wait, because it can still be returned; 0 for none. At most 14 for each month of validity.
                     * @default 0
                     */
                    returnWindowDays?: number;
                    /**
                     * @description Whether staff may attach a sale to a customer at the till.
                     * @default false
                     */
                    tillAttach?: boolean;
                    /**
                     * @description Who spends enough within a year earns more; the lowest first. Decided each night of sales that are two weeks old, or that can no longer be returned. Thresholds ascend, multipliers do not descend.
                     * @default []
                     */
                    tiers?: {
                        /** @description Names the tier for ever: who has it keeps it while a version has the key. */
                        key: string;
                        /** @description What customers read. */
                        name: string;
                        /** @description What is to be spent within a year, less refunds. */
                        thresholdMinorUnits: number;
                        /**
                         * Format: double
                         * @description By how much points are multiplied; of it and campaigns the greatest counts.
                         */
                        multiplier: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgrammeVersion"];
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What customers read. */
                    name: string;
                    /**
                     * Format: double
                     * @description By how much the points of a sale are multiplied; of several, the greatest counts. This or `points`.
                     */
                    multiplier?: number;
                    /** @description How many points a sale earns besides. */
                    points?: number;
                    /**
                     * Format: date-time
                     * @description From when on, by the time of the sale. By default from now on; not in the past.
                     */
                    startsAt?: string;
                    /**
                     * Format: date-time
                     * @description Until when, exclusive; null for ever. At most 2 years later.
                     * @default null
                     */
                    endsAt?: string | null;
                    /**
                     * @description On which days, by the clocks of the shop: 1 is Monday, 7 is Sunday; null for all.
                     * @default null
                     */
                    days?: number[] | null;
                    /**
                     * @description At which time of the day, by the clocks of the shop, the end exclusive; null for all.
                     * @default null
                     */
                    hours?: {
                        /** @description Inclusive. */
                        from: string;
                        /** @description Exclusive; at most `24:00`. */
                        to: string;
                    } | null;
                    /**
                     * @description The least amount that gets it. At least as much as `points`.
                     * @default 0
                     */
                    minSpendMinorUnits?: number;
                    /**
                     * @description `first_purchase`: only customers who have never earned points at the shop.
                     * @default all
                     * @enum {string}
                     */
                    audience?: "all" | "first_purchase";
                    /**
                     * @description Once so many points are spent, it gives no more; what refunds take back may be spent again. What is being decided at that moment may exceed it. Null for no limit.
                     * @default null
                     */
                    budgetPoints?: number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the campaign. */
                campaignId: components["parameters"]["campaignId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the campaign. */
                campaignId: components["parameters"]["campaignId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRewards: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reward"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishReward: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What customers and tills read. */
                    name: string;
                    /**
                     * @description `amount`: the till takes its value off. `item`: the till hands it out instead.
                     * @enum {string}
                     */
                    kind: "amount" | "item";
                    /** @description How many points it takes. */
                    pricePoints: number;
                    /** @description What it is worth to the shop, in minor units: at most ten for each point. */
                    valueMinorUnits: number;
                    /**
                     * @description How many there are; a code that ends unused puts one back. Null for no limit.
                     * @default null
                     */
                    stock?: number | null;
                    /**
                     * Format: date-time
                     * @description From when on it is offered no more; null for never. At most 2 years from now.
                     * @default null
                     */
                    endsAt?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reward"];
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endReward: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the reward. */
                rewardId: components["parameters"]["rewardId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reward"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRehearsals: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rehearsal"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    beginRehearsal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Over the sales of how many whole days before today, by the clocks of the shop.
                     * @default 90
                     */
                    days?: number;
                    /** @description The rule that would be published. Its date does not matter. */
                    rule: {
                        /**
                         * Format: double
                         * @description Points for each minor unit of the amount. At most 6 decimals.
                         */
                        conversionRate: number;
                        /**
                         * @description A payment of less, in minor units, earns nothing.
                         * @default 0
                         */
                        minSpendMinorUnits?: number;
                        /**
                         * @description The most that a payment earns; null for no limit.
                         * @default null
                         */
                        maxPointsPerTransaction?: number | null;
                        /**
                         * @description With a smaller balance nothing can be redeemed.
                         * @default 0
                         */
                        minBalanceToRedeem?: number;
                        /**
                         * Format: double
                         * @description Of the balance, what may be redeemed in 24 hours. At most 6 decimals.
                         * @default 100
                         */
                        maxRedemptionPercentage?: number;
                        /**
                         * @description How a fraction of a point is rounded; `round` rounds halves up.
                         * @default floor
                         * @enum {string}
                         */
                        roundingPolicy?: "floor" | "ceil" | "round";
                        /**
                         * Format: date-time
                         * @description From when on it governs. By default, from its publication on.
                         */
                        effectiveFrom?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rehearsal"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED. */
            429: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showRehearsal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the rehearsal of a rule. */
                rehearsalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RehearsalReport"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The file: RFC 4180, with the header `email,phone,points`, at most 10,000 rows and 1 MiB. A row goes by its e-mail, or else by its phone, and has 1 to 100,000 points; all have at most 10,000,000. */
                    csv: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            /** @description RATE_LIMITED. */
            429: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the import. */
                importId: components["parameters"]["importId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the import. */
                importId: components["parameters"]["importId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description Its id, which never changes.
                         */
                        id: string;
                        /**
                         * @description `draft` until an administrator approves it; `running` while its rows are brought over, `reverting` while they are taken back.
                         * @enum {string}
                         */
                        status: "draft" | "running" | "done" | "withdrawn" | "reverting" | "reverted";
                        /** @description Below the header, those with mistakes included. */
                        rows: number;
                        /** @description Of the rows without mistakes, in all. */
                        points: number;
                        /** @description The lines that were left out, at most 100. */
                        invalid: {
                            /** @description The header is line 1. */
                            line: number;
                            code: components["schemas"]["IssueCode"];
                        }[];
                        /** @description Rows whose customers have their points. Null for merchants until it is approved. */
                        matched: number | null;
                        /** @description Rows whose customers have not signed up yet: for 12 months after the approval if they go by an e-mail, for 90 days if by a phone. Null for merchants until it is approved. */
                        waiting: number | null;
                        /** @description Rows of customers who were brought over before. Null for merchants until it is approved. */
                        repeated: number | null;
                        /** @description Points that a revert could not take back: they had been used. */
                        notTaken: number;
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description Null until it is approved.
                         */
                        approvedAt: string | null;
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listStoreOperators: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOperator"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeStoreOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the user. */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                        /**
                         * Format: uuid
                         * @description The person.
                         */
                        userId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAttachments: {
        parameters: {
            query?: {
                /** @description Attached by this person. */
                operatorId?: string;
                /** @description Attached to this customer. */
                userId?: string;
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    attachSaleByMerchant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The transaction.
                     */
                    transactionId: string;
                    /** @description As it was typed or scanned: blanks and `LP1:` before it are ignored. */
                    member: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                        /**
                         * Format: uuid
                         * @description The transaction.
                         */
                        transactionId: string;
                        /** @description Before refunds. */
                        points: number;
                        /** @description Why it earned nothing, or less. */
                        reason: ("zero_amount" | "below_minimum" | "rounded_to_zero" | "capped_to_zero" | "capped_to_limit" | "no_contacts" | "no_match" | "no_rule" | "tenant_suspended" | "before_connection" | "currency_mismatch") | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description INSUFFICIENT_ROLE or TENANT_FORBIDDEN or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["TenantNotFoundOrNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED. */
            429: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listStoreOperatorInvites: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOperatorInvite"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inviteStoreOperator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description The e-mail address.
                     */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                        /** @description The e-mail address. */
                        email: string;
                        /**
                         * @description `existing_auth_user` when a user has this e-mail, verified.
                         * @enum {string}
                         */
                        inviteEmailStatus: "sent" | "existing_auth_user";
                        /**
                         * Format: uuid
                         * @description The invite.
                         */
                        inviteId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description INSUFFICIENT_ROLE or TENANT_FORBIDDEN or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["TenantNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawStoreOperatorInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the invite. */
                inviteId: components["parameters"]["inviteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                        /**
                         * Format: uuid
                         * @description The invite.
                         */
                        inviteId: string;
                        /**
                         * @description It can no longer be accepted.
                         * @constant
                         */
                        status: "withdrawn";
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description Payments of this outcome. */
                outcome?: components["parameters"]["outcome"];
                /** @description Sales of this time and later. */
                from?: components["parameters"]["from"];
                /** @description Sales before this time. */
                to?: components["parameters"]["to"];
                /** @description Payments that were matched to this consumer. */
                userId?: string;
                /** @description The provider's id of the payment, as a whole. */
                q?: components["parameters"]["q"];
                /** @description Of CSV: `fields` as in JSON, or `named` for spreadsheets, as with transactions. */
                columns?: components["parameters"]["columns"];
                /** @description Of `named` columns; by default the shop's, or UTC. */
                timeZone?: components["parameters"]["timeZone"];
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description Of CSV with `columns=named`: `de` for German; anything else is English. */
                "Accept-Language"?: components["parameters"]["Accept-Language"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"][];
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            /** @description RATE_LIMITED. */
            429: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    explainTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the transaction, which is the service’s own for a payment. */
                transactionId: components["parameters"]["transactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionExplanation"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTenantRedemptions: {
        parameters: {
            query?: {
                /** @description Only those with this status now. */
                status?: components["parameters"]["status"];
                /** @description Issued at this time or later. */
                from?: string;
                /** @description Issued before this time. */
                to?: string;
                /** @description Only those of this consumer. */
                userId?: string;
                /** @description Of CSV: `fields` as in JSON, or `named` for spreadsheets, as with transactions. */
                columns?: components["parameters"]["columns"];
                /** @description Of `named` columns; by default the shop's, or UTC. */
                timeZone?: components["parameters"]["timeZone"];
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description Of CSV with `columns=named`: `de` for German; anything else is English. */
                "Accept-Language"?: components["parameters"]["Accept-Language"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopRedemption"][];
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            /** @description RATE_LIMITED. */
            429: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showStatistics: {
        parameters: {
            query?: {
                /** @description The first moment; by default the start of the last 30 days. */
                from?: string;
                /** @description The first moment after the last one; by default now. */
                to?: string;
                /** @description How the time is divided. */
                interval?: "day" | "week" | "month";
                /** @description By whose clocks days begin: a name of the IANA time zone database, such as `America/New_York`; by default the shop's, or UTC where it has none. */
                timeZone?: string;
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statistics"];
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            /** @description RATE_LIMITED. */
            429: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showShopDay: {
        parameters: {
            query: {
                /** @description The first moment of the day. */
                from: string;
                /** @description The first moment after it, 48 hours later at most. */
                to: string;
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DaySheet"];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showLiability: {
        parameters: {
            query?: {
                /** @description By default the newest that was counted. */
                month?: string;
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liability"];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConsumers: {
        parameters: {
            query?: {
                /** @description Only those who owe points for refunded purchases. */
                owes?: components["parameters"]["owes"];
                /** @description Only those with more than 5 sales that earned points and codes within 24 hours, lately. */
                unusual?: components["parameters"]["unusual"];
                /** @description Of CSV: `fields` as in JSON, or `named` for spreadsheets, as with transactions. */
                columns?: components["parameters"]["columns"];
                /** @description Of `named` columns; by default the shop's, or UTC. */
                timeZone?: components["parameters"]["timeZone"];
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description Of CSV with `columns=named`: `de` for German; anything else is English. */
                "Accept-Language"?: components["parameters"]["Accept-Language"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Consumer"][];
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            /** @description RATE_LIMITED. */
            429: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showConsumer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the user. */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsumerDetail"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchShop: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What somebody says, as it is. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundByMerchant"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the transaction, which is the service’s own for a payment. */
                transactionId: components["parameters"]["transactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showTenantRedemption: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the redemption. */
                redemptionId: components["parameters"]["redemptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopRedemption"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConsumerHistory: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: number;
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the user. */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntry"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the redemption. */
                redemptionId: components["parameters"]["redemptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The mail is on its way.
                         * @constant
                         */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    askForGoodwill: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the user. */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description To be added to the balance. */
                    points: number;
                    /** @description Why, for the administrator who answers; no names, no addresses. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoodwillRequest"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description INSUFFICIENT_ROLE or TENANT_FORBIDDEN or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["TenantNotFoundOrNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listGoodwill: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoodwillRequest"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawGoodwill: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the request for points. */
                goodwillId: components["parameters"]["goodwillId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoodwillRequest"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sumTransactions: {
        parameters: {
            query?: {
                /** @description Payments of this outcome. */
                outcome?: components["parameters"]["outcome"];
                /** @description Sales of this time and later. */
                from?: components["parameters"]["from"];
                /** @description Sales before this time. */
                to?: components["parameters"]["to"];
                /** @description Payments that were matched to this consumer. */
                userId?: string;
                /** @description The provider's id of the payment, as a whole. */
                q?: components["parameters"]["q"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTotals"];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sumTenantRedemptions: {
        parameters: {
            query?: {
                /** @description Only those with this status now. */
                status?: components["parameters"]["status"];
                /** @description Issued at this time or later. */
                from?: string;
                /** @description Issued before this time. */
                to?: string;
                /** @description Only those of this consumer. */
                userId?: string;
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTotals"];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sumConsumers: {
        parameters: {
            query?: {
                /** @description Only those who owe points for refunded purchases. */
                owes?: components["parameters"]["owes"];
                /** @description Only those with more than 5 sales that earned points and codes within 24 hours, lately. */
                unusual?: components["parameters"]["unusual"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTotals"];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTenantAuditLogs: {
        parameters: {
            query?: {
                /** @description Entries of this action. */
                action?: components["parameters"]["action"];
                /** @description The id of what was acted on. */
                target?: components["parameters"]["target"];
                /** @description Entries of this time and later. */
                from?: string;
                /** @description Entries before this time. */
                to?: string;
                /** @description Of CSV: `fields` as in JSON, or `named` for spreadsheets, as with transactions. */
                columns?: components["parameters"]["columns"];
                /** @description Of `named` columns; by default the shop's, or UTC. */
                timeZone?: components["parameters"]["timeZone"];
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description Of CSV with `columns=named`: `de` for German; anything else is English. */
                "Accept-Language"?: components["parameters"]["Accept-Language"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntry"][];
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            /** @description RATE_LIMITED. */
            429: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showAlphaSetup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Which of alpha’s is used.
                         * @enum {string}
                         */
                        environment: "sandbox" | "production";
                        /**
                         * Format: uri
                         * @description Where merchants connect their account.
                         */
                        connectOrigin: string;
                        /** @description Whether `ALPHA_APP_ID` is set. */
                        appIdConfigured: boolean;
                        /** @description Whether `ALPHA_APP_SECRET` is set. */
                        appSecretConfigured: boolean;
                        /**
                         * Format: uri
                         * @description The redirect address to register at alpha.
                         */
                        redirectUri: string;
                        /**
                         * Format: uri
                         * @description The webhook address to register at alpha.
                         */
                        webhookUrl: string;
                        /** @description Whether `ALPHA_WEBHOOK_SIGNATURE_KEY` is set. */
                        webhookSignatureKeyConfigured: boolean;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRole"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"][];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Begins with https and leads to a public address. */
                    url: string;
                    /** @description The types of events to send. Null, or without it on creation: all of them. */
                    types?: components["schemas"]["EventType"][] | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the endpoint that gets webhooks. */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the endpoint that gets webhooks. */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                        /**
                         * Format: uuid
                         * @description Its id, which never changes.
                         */
                        id: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the endpoint that gets webhooks. */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Begins with https and leads to a public address. */
                    url?: string;
                    /** @description The types of events to send. Null, or without it on creation: all of them. */
                    types?: components["schemas"]["EventType"][] | null;
                    /**
                     * @description Its state.
                     * @enum {string}
                     */
                    status?: "active" | "disabled";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the endpoint that gets webhooks. */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the endpoint that gets webhooks. */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                        /**
                         * Format: uuid
                         * @description The `webhook-id` of the message.
                         */
                        eventId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the endpoint that gets webhooks. */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The id of the endpoint that gets webhooks. */
                endpointId: components["parameters"]["endpointId"];
                /** @description The id of the delivery of an event to an endpoint. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTenantEvents: {
        parameters: {
            query?: {
                /** @description The id of the event after which the list begins. */
                after?: string;
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantEvent"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showOperatorContext: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description The shop to work in, needed by an operator of several. */
                "X-Tenant-Id"?: components["parameters"]["X-Tenant-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description The shop.
                         */
                        tenantId: string;
                        /** @description Its name. */
                        name: string;
                        /** @description How the shop looks. */
                        branding: {
                            /**
                             * Format: uri
                             * @description The address of the logo; null without one.
                             */
                            logoUrl: string | null;
                            /** @description As `#rrggbb`; null without one. Apps keep the contrast of what they show in it. */
                            color: string | null;
                        };
                        /** @description In which it sells; null until that is known. */
                        currency: string | null;
                        /** @description By whose clocks its days are; null if not known. */
                        timeZone: string | null;
                        /** @description Whether staff may attach a sale to a customer, by the programme of the shop. */
                        tillAttach: boolean;
                        /** @description The shops that the person works at. */
                        memberships: {
                            /**
                             * Format: uuid
                             * @description The shop.
                             */
                            tenantId: string;
                            /** @description Its name. */
                            name: string;
                        }[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    lookupRedemption: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description The shop to work in, needed by an operator of several. */
                "X-Tenant-Id"?: components["parameters"]["X-Tenant-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The code, as it is printed or typed. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The code, as it is printed or typed. */
                        code: string;
                        /**
                         * @description `issued`: it can be completed. `expired`: overdue or cancelled, and not used.
                         * @enum {string}
                         */
                        status: "issued" | "used" | "expired";
                        /** @description Whether it was cancelled; it is `expired` then. */
                        cancelled: boolean;
                        /** @description The points that were redeemed. */
                        points: number;
                        /** @description What the till takes off, in minor units of the currency; 0 for an item. */
                        discountValueMinorUnits: number;
                        /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
                        currency: string | null;
                        /** @description What the code is for; null for points that the till takes off. */
                        reward: components["schemas"]["NamedReward"] | null;
                        /**
                         * Format: date-time
                         * @description Until when it is valid.
                         */
                        expiresAt: string;
                        /**
                         * Format: date-time
                         * @description When it was used; null if it was not.
                         */
                        usedAt: string | null;
                        /** @description Who completed it; null unless it was used. */
                        usedBy: components["schemas"]["Colleague"] | null;
                        /** @description Whose code it is. */
                        customer: {
                            /** @description The initials of the name, or the first letter of the e-mail. */
                            initials: string;
                        };
                        /** @description The shop. */
                        tenant: {
                            /**
                             * Format: uuid
                             * @description Its id, which never changes.
                             */
                            id: string;
                            /** @description Its name. */
                            name: string;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    lookupMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description The shop to work in, needed by an operator of several. */
                "X-Tenant-Id"?: components["parameters"]["X-Tenant-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As it was typed or scanned: blanks and `LP1:` before it are ignored. */
                    member: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description As it is written on the card. */
                        memberNumber: string;
                        /** @description Of the name, or else of the e-mail address; may be empty. */
                        initials: string;
                    };
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description INSUFFICIENT_ROLE or TENANT_FORBIDDEN or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["TenantNotFoundOrNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    findAnonymousSales: {
        parameters: {
            query: {
                /** @description As the receipt says it, without a tip. */
                amountMinorUnits: number;
                /** @description The time on the receipt; seconds are ignored. */
                at: string;
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description The shop to work in, needed by an operator of several. */
                "X-Tenant-Id"?: components["parameters"]["X-Tenant-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnonymousSale"][];
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description INSUFFICIENT_ROLE or TENANT_FORBIDDEN or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    attachSaleAtTill: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description The shop to work in, needed by an operator of several. */
                "X-Tenant-Id"?: components["parameters"]["X-Tenant-Id"];
            };
            path: {
                /** @description The id of the transaction, which is the service’s own for a payment. */
                transactionId: components["parameters"]["transactionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As it was typed or scanned: blanks and `LP1:` before it are ignored. */
                    member: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                        /**
                         * Format: uuid
                         * @description The transaction.
                         */
                        transactionId: string;
                        /** @description Before refunds. */
                        points: number;
                        /** @description Why it earned nothing, or less. */
                        reason: ("zero_amount" | "below_minimum" | "rounded_to_zero" | "capped_to_zero" | "capped_to_limit" | "no_contacts" | "no_match" | "no_rule" | "tenant_suspended" | "before_connection" | "currency_mismatch") | null;
                    };
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description INSUFFICIENT_ROLE or TENANT_FORBIDDEN or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["TenantNotFoundOrNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description RATE_LIMITED. */
            429: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    completeRedemption: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description The shop to work in, needed by an operator of several. */
                "X-Tenant-Id"?: components["parameters"]["X-Tenant-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The code, as it is printed or typed. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                        /**
                         * @description Its state.
                         * @constant
                         */
                        status: "used";
                        /** @description The points that were redeemed. */
                        points: number;
                        /** @description What the till takes off, in minor units of the currency; 0 for an item. */
                        discountValueMinorUnits: number;
                        /** @description ISO 4217; null until it is known. The worth of a point is one minor unit of this currency. */
                        currency: string | null;
                        /** @description What the code is for; null for points that the till takes off. */
                        reward: components["schemas"]["NamedReward"] | null;
                        /**
                         * Format: date-time
                         * @description When it was used; null if it was not.
                         */
                        usedAt: string;
                        /**
                         * Format: uuid
                         * @description The redemption.
                         */
                        redemptionId: string;
                        /** @description The shop. */
                        tenant: {
                            /**
                             * Format: uuid
                             * @description Its id, which never changes.
                             */
                            id: string;
                            /** @description Its name. */
                            name: string;
                        };
                    };
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description INSUFFICIENT_ROLE or TENANT_FORBIDDEN or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["TenantNotFoundOrNotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsedRedemptions: {
        parameters: {
            query?: {
                /** @description Used at this time or later. */
                from?: string;
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description The shop to work in, needed by an operator of several. */
                "X-Tenant-Id"?: components["parameters"]["X-Tenant-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsedRedemption"][];
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showTillDay: {
        parameters: {
            query: {
                /** @description The first moment of the day. */
                from: string;
                /** @description The first moment after it, 48 hours later at most. */
                to: string;
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description The shop to work in, needed by an operator of several. */
                "X-Tenant-Id"?: components["parameters"]["X-Tenant-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DaySheet"];
                };
            };
            /** @description VALIDATION_ERROR. */
            400: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrTenantForbidden"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    followShopEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description The shop to work in, needed by an operator of several. */
                "X-Tenant-Id"?: components["parameters"]["X-Tenant-Id"];
                /** @description The id of the last event that the client has, to resume from there. Within ten minutes. */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @description What `Last-Event-ID` takes. */
                        id: string;
                        /**
                         * @description The kind of the event.
                         * @constant
                         */
                        event: "redemption";
                        data: components["schemas"]["UsedRedemption"];
                    } | {
                        /** @description What `Last-Event-ID` takes. */
                        id: string;
                        /**
                         * @description The kind of the event.
                         * @constant
                         */
                        event: "reset";
                        /** @description Nothing. Read again what you show. */
                        data: Record<string, never>;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description INSUFFICIENT_ROLE or TENANT_FORBIDDEN or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    leaveShop: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                        /**
                         * Format: uuid
                         * @description The shop.
                         */
                        tenantId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientRoleOrForbidden"];
            404: components["responses"]["TenantNotFoundOrNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showServiceHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceHealth"];
                };
            };
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTenants: {
        parameters: {
            query?: {
                /** @description Part of a name, in any case. Without it, all are listed. */
                q?: string;
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedTenant"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showTenantDetail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantDetail"];
                };
            };
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["TenantNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUserWallets: {
        parameters: {
            query: {
                /** @description Whose wallets to list. */
                userId: string;
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminWallet"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showUserWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnedWallet"];
                };
            };
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUserWalletHistory: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: number;
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntry"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    freezeWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletStanding"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unfreezeWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletStanding"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    adjustWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the wallet. */
                walletId: components["parameters"]["walletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Positive credits, negative debits; never zero. */
                    points: number;
                    /** @description Why the balance is corrected; kept in the audit log. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adjustment"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description INSUFFICIENT_BALANCE or RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWaitingGoodwill: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitingGoodwillRequest"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    grantGoodwill: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the request for points. */
                goodwillId: components["parameters"]["goodwillId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adjustment"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    declineGoodwill: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the request for points. */
                goodwillId: components["parameters"]["goodwillId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; the merchant reads it. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description It is declined.
                         * @constant
                         */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllImports: {
        parameters: {
            query?: {
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminImport"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the import. */
                importId: components["parameters"]["importId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The sum of the import, as it was looked at. */
                    points: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminImport"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revertImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the import. */
                importId: components["parameters"]["importId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminImport"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditLogs: {
        parameters: {
            query?: {
                /** @description Entries of this action. */
                action?: components["parameters"]["action"];
                /** @description The id of what was acted on. */
                target?: components["parameters"]["target"];
                /** @description Entries of this time and later. */
                from?: string;
                /** @description Entries before this time. */
                to?: string;
                /** @description Of CSV: `fields` as in JSON, or `named` for spreadsheets, as with transactions. */
                columns?: components["parameters"]["columns"];
                /** @description Of `named` columns; by default the shop's, or UTC. */
                timeZone?: components["parameters"]["timeZone"];
                /** @description How many items to return. 100 is the most; more counts as that. */
                limit?: components["parameters"]["limit"];
                /** @description Where the page starts, taken from the `Link` header of the previous page. */
                cursor?: components["parameters"]["cursor"];
                /** @description The id of the user who acted. */
                actor?: string;
                /** @description The id of the user who was acted on, or whose wallet was. */
                targetUser?: string;
                /** @description The correlation id of the request. */
                request?: string;
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description Of CSV with `columns=named`: `de` for German; anything else is English. */
                "Accept-Language"?: components["parameters"]["Accept-Language"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamedAuditEntry"][];
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            /** @description RATE_LIMITED. */
            429: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchUsers: {
        parameters: {
            query?: {
                /** @description Part of an e-mail or a phone number. */
                q?: string;
                /** @description Of CSV: `fields` as in JSON, or `named` for spreadsheets, as with transactions. */
                columns?: components["parameters"]["columns"];
                /** @description Of `named` columns; by default the shop's, or UTC. */
                timeZone?: components["parameters"]["timeZone"];
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description Of CSV with `columns=named`: `de` for German; anything else is English. */
                "Accept-Language"?: components["parameters"]["Accept-Language"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundUser"][];
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            /** @description RATE_LIMITED. */
            429: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchIds: {
        parameters: {
            query: {
                /** @description The id or the code. */
                q: string;
            };
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundId"][];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the user. */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDetail"];
                };
            };
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the user. */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserStanding"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRoleOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyOfAnotherRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setUserRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the user. */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log. */
                    reason?: string;
                    /**
                     * @description What the person is in the service.
                     * @enum {string}
                     */
                    role: "consumer" | "client" | "pos_operator" | "admin";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserStanding"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    suspendUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the user. */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description The person.
                         */
                        userId: string;
                        /**
                         * @description What the person is in the service.
                         * @enum {string}
                         */
                        role: "consumer" | "client" | "pos_operator" | "admin";
                        /**
                         * @description Its state.
                         * @enum {string}
                         */
                        status: "active" | "pending_approval" | "suspended";
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reinstateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the user. */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description The person.
                         */
                        userId: string;
                        /**
                         * @description What the person is in the service.
                         * @enum {string}
                         */
                        role: "consumer" | "client" | "pos_operator" | "admin";
                        /**
                         * @description Its state.
                         * @enum {string}
                         */
                        status: "active" | "pending_approval" | "suspended";
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    eraseUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
                /** @description A key that you choose for this request. The same request under the same key, within 24 hours, is not carried out again but gets the first response. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The id of the user. */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description It was asked for already, by whomever. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            /** @description INSUFFICIENT_ROLE or FORBIDDEN. */
            403: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description RULE_REJECTED or IDEMPOTENCY_REPLAY. */
            422: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawErasureOf: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the user. */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true.
                         * @constant
                         */
                        ok: true;
                        /**
                         * Format: uuid
                         * @description The erasure.
                         */
                        erasureId: string;
                        /**
                         * @description Nothing is erased.
                         * @constant
                         */
                        status: "withdrawn";
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    suspendTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopStanding"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["TenantNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reinstateTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, underscores and hyphens; anything else, and nothing, is replaced by a generated one. */
                "X-Correlation-Id"?: components["parameters"]["X-Correlation-Id"];
            };
            path: {
                /** @description The id of the shop: its tenant. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopStanding"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["UnauthorizedAdministrator"];
            403: components["responses"]["InsufficientRole"];
            404: components["responses"]["TenantNotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["RuleRejected"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    receivePointsCredited: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "points.credited";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: components["schemas"]["PointsMoved"];
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePointsReversed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "points.reversed";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: components["schemas"]["PointsMoved"];
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePointsAdjusted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "points.adjusted";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: components["schemas"]["PointsMoved"];
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePointsExpired: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "points.expired";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: components["schemas"]["PointsMoved"];
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveRedemptionIssued: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "redemption.issued";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: components["schemas"]["RedemptionChanged"];
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveRedemptionUsed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "redemption.used";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: components["schemas"]["RedemptionChanged"];
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveRedemptionExpired: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "redemption.expired";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: components["schemas"]["RedemptionChanged"];
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConnectionActive: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "connection.active";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: components["schemas"]["ConnectionChanged"];
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConnectionLost: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "connection.lost";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: components["schemas"]["ConnectionChanged"];
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConnectionGap: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "connection.gap";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: components["schemas"]["ConnectionGap"];
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveOperatorJoined: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "operator.joined";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: components["schemas"]["OperatorJoined"];
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveRulePublished: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "rule.published";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: components["schemas"]["RulePublished"];
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveTierChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "tier.changed";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    data: components["schemas"]["TierChanged"];
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveEndpointTest: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in each attempt. Handle each id once. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When this attempt was made, in seconds since 1970. Refuse what is old. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description One or more of `v1,` and base64, separated by spaces: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret of the endpoint. One must match. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What kind it is.
                     * @constant
                     */
                    type: "endpoint.test";
                    /**
                     * Format: date-time
                     * @description When it happened.
                     */
                    timestamp: string;
                    /** @description What it is about. */
                    data: {
                        /**
                         * Format: uuid
                         * @description The endpoint of webhooks.
                         */
                        endpointId: string;
                    };
                };
            };
        };
        responses: {
            /** @description Nothing more is sent: it disables the endpoint. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
