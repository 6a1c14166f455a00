/** Functions whose plans are not tested, by the reason. */
export const UNEXPLAINED: Readonly<Record<string, string>> = {
  'writes or locks few rows, by their primary or unique key': `
    notices/choices.change notices/points.recordTold
    notices/push-subscriptions.dropGone notices/push-subscriptions.recordPushed
    notices/push-subscriptions.remove notices/week.noteNext
    backups.readBackupAges audit-log.insert idempotency.store
    key-rotation.replaceTokens key-rotation.replaceCode
    key-rotation.replaceAttempt connections/accounts.record connections/accounts.noteCountries
    connections/availability.claimProbe due-work.keepPosition
    connections/tenures.backdate connections/truth-days.saveDay connections/truth-days.giveUp
    connections/gaps.recordGap users/members.rotate users/members.requireNotErased
    users/own-data.countExport users/own-data.setLanguage
    connections/availability.dropProbe
    connections/availability.recordAnswer
    connections/availability.recordAway connections/availability.haveProbed
    connections/oauth-attempts.insert
    connections/oauth-attempts.take
    connections/oauth-attempts.settleConnected connections/oauth-attempts.settle
    connections/oauth-states.insert connections/oauth-states.take
    connections/pos-connections.connect connections/pos-connections.disconnect
    connections/revocations.note connections/revocations.settle
    connections/tokens.claimRefresh connections/tokens.dropRefresh
    connections/tokens.store connections/tokens.flag connections/tokens.unflag
    connections/tokens.flagRevoked told-changes.recordTold
    events/failed-payments.record events/operations.replay
    events/operations.dismiss events/webhook-events.recordHeld ledger/wallets.ensureOne
    ledger/wallets.lockFree payments/revisions.listHeld ledger/wallets.setStatus
    payments/debts.record payments/refused.findRefused
    payments/refused.lockRefused payments/attachments.record
    redemptions/code-guesses.recordUnknown redemptions/code-guesses.forget
    redemptions/lifecycle.recordFailedExpiry
    redemptions/mails.markCodesMailed redemptions/mails.markExpiriesMailed
    tenants/time-zone.lock tenants/time-zone.notePromise tenants/time-zone.replace
    tenants/country.settle tenants/currency.settle tenants/currency.replace
    tenants/overview.mergeOnboarding
    tenants/reward-rules.publish tenants/programme.publish tenants/tenants.insert
    tenants/campaigns.publish tenants/campaigns.end
    goodwill.insert goodwill.close redemptions/resending.mailAgain
    imports/imports.insert imports/imports.setStatus imports/imports.count imports/imports.audit
    imports/rows.insert imports/rows.settle imports/waiting.nameOwner ledger/wallets.lockAllFree
    tenants/rewards.publish tenants/rewards.end tenants/rewards.putBack tenants/rewards.take
    tenants/rewards.lock tenants/published.markEnded tenants/published.audit
    tenants/standings.storeChanges tenants/standings.finishNight
    tenants/expiry-progress.begin tenants/expiry-progress.claim tenants/expiry-progress.advance
    tenants/expiry-progress.passOver tenants/expiry-progress.finish
    tenants/expiry-progress.restart
    tenants/expiry-runs.recordTold tenants/expiry-runs.recordNotice
    tenants/rehearsals.begin tenants/rehearsals.complete tenants/rehearsals.end
    tenants/tenants.setBranding
    tenants/unusual.recordTold users/admin.lock users/applications.save
    users/admin.update users/invite-mails.claim users/invite-mails.noteAsked
    users/invite-mails.recordSent users/invite-mails.recordUndeliverable users/invites.create
    users/invites.withdraw users/memberships.lockPerson outgoing/endpoints.get
    outgoing/endpoints.lock outgoing/endpoints.audit outgoing/deliveries.addTest
    outgoing/secrets.rotate outgoing/secrets.reseal`,
  'reads one row by its primary key': `
    notices/choices.find notices/waiting.findWaiting
    tenants/standings.readTerms tenants/standings.lockTerms tenants/standings.findKept
    users/own-data.readPerson users/applications.find tenants/expiry-progress.findPosition
    ledger/expiring.readCalendar tenants/expiry-runs.isAnyTaken
    outgoing/failing-endpoints.findNotices tenants/unusual.findNotices
    tenants/phone-regions.knownRegions tenants/rehearsals.find tenants/rehearsals.findRunning
    connections/overview.findTenantOf connections/truth-days.findProvider
    connections/gaps.findNotices users/members.numberOf users/members.findByNumber
    events/operations.get ledger/postings.find
    redemptions/trail.getRedemption redemptions/listing.getOwned
    tenants/tenants.hasBusinessName users/invites.findOpen`,
  'writes all that waits for an endpoint, or at most ten endpoints of a tenant': `
    outgoing/attempts.recordDelivered outgoing/attempts.recordGone outgoing/endpoints.create
    outgoing/endpoints.list outgoing/endpoints.update outgoing/endpoints.park
    outgoing/endpoints.remove outgoing/endpoints.tellFromNowOn`,
  'runs once for a person who is erased, or a shop that is closed': `
    payments/debts.writeOff tenants/closing.close
    users/erased-subjects.addErased users/erasing.begin users/erasing.forget
    users/erasing.forgetPayments users/erasing.closeWallet users/erasing.forgetBodies
    users/erasing.finish
    goodwill.forget imports/waiting.dropOf users/erasures.request users/erasures.withdraw
    users/erasures.record`,
  'looks once at each endpoint that fails': 'outgoing/failing-endpoints.disableFailing',
  'reads what is new or due of all tenants, by indexes of their own': `
    outgoing/positions.hasNews outgoing/positions.take outgoing/positions.moveOn
    outgoing/positions.giveBack outgoing/positions.lookFrom
    outgoing/fan-out.listDueTenants outgoing/backlog.longestWait`,
  'asks the server, and reads no table': 'server.readServer',
  'locks, and reads no table': `
    goodwill.lockShop imports/imports.lockShop idempotency.tryLock lock-waits.limitLockWaits
    users/invites.lockTenant
    payments/attachments.lockOperator`,
  'looks at each account that is polled rarely or not at all, each quarter of an hour':
    'connections/gaps.takeSilent',
  'reads the sales of a tenant of 90 days, when somebody searches for an amount, by an index':
    'payments/customer-search.findByAmount',
  'reads what has moved in the last two hours, once an hour': 'tenants/unusual.noteTenants',
  'reads all wallets of very large tenants, page by page, once an hour':
    'tenants/outstanding.keepAll',
  'reads what campaigns have given since the last time, page by page, once an hour':
    'tenants/campaigns.settleSums tenants/statistics.settledMoment',
  'asks Postgres about itself': `
    connection.takesRequests open-transactions.untilReadersEnd changes/since.readWatermark
    tenants/published.databaseTime
    ledger/verification/whole.estimateRows`,
  'of functions that are tested': `
    ledger/adjusting.adjust
    connections/disconnecting.disconnectBy tenants/tenants.get tenants/programme.findActive
    payments/debts.pay payments/attaching.attachSale payments/late-match.storeMatch
    redemptions/closing.settle users/invite-decisions.accept
    users/invite-decisions.decline
    users/invite-decisions.acceptFirst users/memberships.removeOperator users/memberships.leave
    users/memberships.endAll users/operations.reinstate users/operations.grantAdmin
    users/operations.cancelCodes
    tenants/tenants.provision`,
  'verifies the ledger with functions that are tested': `
    ledger/verification/run.verifyNext ledger/verification/run.verifyPhases
    ledger/verification/statements.inSlice ledger/verification/whole.verifyLedger
    ledger/verification/whole.verifySlice`,
  'counts or reads all that it is asked about': `
    key-rotation.listTokens key-rotation.listCodes key-rotation.listAttempts
    outgoing/secrets.listSealed
    key-rotation.countRemainder key-rotation.countOld ledger/export.countLeft
    users/invites.useOf`,
  'runs in a function of the database, by the names of partitions':
    'events/retention.keepPartitions',
};
