// Addresses that pass mail on to a mailbox elsewhere: aliases, masks and forwards.
// Whoever asks gets one, at the same domain as everybody else.

export const relays: Record<string, string> = {
  simpleLogin: `simplelogin.com simplelogin.fr simplelogin.co simplelogin.io aleeas.com slmail.me slmails.com silomails.com slmx.me slmx.fr
    8alias.com 8shield.net dralias.com`,
  protonPass: 'passmail.net passmail.com passinbox.com passfwd.com',
  addy: 'anonaddy.com anonaddy.me addy.io addymail.com addy.biz 4wrd.cc mailer.me',
  firefoxRelay: 'mozmail.com relay.firefox.com',
  apple: 'privaterelay.appleid.com',
  duckDuckGo: 'duck.com',
  others: `33mail.com erine.email burnermail.io opayq.com spamgourmet.com spamgourmet.net spamgourmet.org antichef.com antichef.net xoxy.net
    recursor.net neverbox.com spamex.com sneakemail.com spamcop.net pobox.com bigfoot.com bigfoot.de hideaddress.net
    maskme.us emailias.com emailnator.com inboxalias.com jetable.org jetable.com kasmail.com mailnull.com mintemail.com
    nomail2me.com notsharingmy.info spambox.us spamhole.com spamfree24.org spaml.com spamspot.com tempalias.com trashmail.com trashmail.de
    trashmail.net trashmail.me trashmail.ws wegwerfemail.de wegwerfmail.de wegwerfmail.net zoemail.com zoemail.net e4ward.com gishpuppy.com
    mailexpire.com mailmoat.com shieldedmail.com shieldemail.com whyspam.me`,
  throwAway: `mailinator.com guerrillamail.com guerrillamail.net guerrillamail.org guerrillamail.biz guerrillamail.de guerrillamailblock.com
    sharklasers.com grr.la spam4.me pokemail.net yopmail.com yopmail.fr yopmail.net temp-mail.org temp-mail.io tempmail.com tempmail.net
    tempmail.plus tempmailo.com 10minutemail.com 10minutemail.net 20minutemail.com maildrop.cc getnada.com nada.email mailnesia.com
    dispostable.com throwawaymail.com moakt.com emailondeck.com mohmal.com mytemp.email fakeinbox.com fakemail.net mailcatch.com
    mailsac.com inboxkitten.com tempinbox.com tempr.email discard.email discardmail.com mail.tm 1secmail.com emailfake.com
    generator.email minuteinbox.com mailpoof.com tmail.ws harakirimail.com`,
  // What a site writes instead of the address of somebody who is there.
  sites: 'users.noreply.github.com noreply.github.com googlegroups.com yahoogroups.com groups.io',
}
