// Companies whose business is the mailbox itself:
// anybody gets one there, free or paid. By company, with the domains they offer.

/** One name under many endings: `yahoo` and `co.uk` make `yahoo.co.uk`. */
export const families: Record<string, string> = {
  yahoo: `com ae at be bg ca ch cl cn co.hu co.id co.il co.in co.jp co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.cn com.co com.hk
    com.hr com.mx com.my com.pe com.ph com.sg com.tr com.tw com.ua com.ve com.vn cz de dk ee es fi fr gr hr hu ie in it jp lt lv nl no pl pt
    ro rs ru se si sk`,
  ymail: 'com ne.jp',
  aol: 'com at be ch cl co.in co.jp co.nz co.uk com.ar com.au com.br com.co com.mx com.tr com.ve cz de dk es fi fr hk in it jp kr nl pl ru se tw',
  hotmail: `com at be bg ca ch cl co co.id co.il co.in co.jp co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.hk com.mx com.my com.ph
    com.tr com.tw com.vn cz de dk ee es fi fr gr hu it jp kz lt lu lv my net.fj nl no org ph pt ro rs ru se sg sk`,
  live: `com at be ca ch cl cn co.in co.kr co.uk co.za com.ar com.au com.co com.mx com.my com.pe com.ph com.pk com.pt com.sg com.ve de dk fi
    fr hk ie in it jp nl no ph ru se`,
  outlook: `com at be cl co.id co.il co.nz co.th com.ar com.au com.br com.gr com.pe com.tr com.vn cz de dk es fr hu ie in it jp kr lv my ph pt
    sa sg sk`,
  msn: 'com cn co.uk co.jp nl',
  gmx: `net com de at ch li eu org biz info us tm fr es it pt pl ie co.uk cc ca co.in com.br com.my com.tr cn hk ph ru se sg tw`,
  lycos: 'com at co.kr co.uk de es fr it ne.jp nl se',
  excite: 'com co.jp co.uk de es fr it nl',
  tiscali: 'it at be cz dk fr lu nl no se co.uk co.za',
  yandex: 'com ru az by co.il com.am com.ge com.tr ee fr kg kz lt lv md pl tj tm ua uz',
  posteo: `de net org eu us uk co.uk at ch af be ca cl co cr cz dk ee es fi gl gr hn hr hu ie in is jp la li lt lu me mx my nl no nz pe pl pm
    pt ro ru se sg si sk tn uy`,
  fastmail: 'com fm net org ca cn co.uk com.au de es fr im in jp mx nl se to tw uk us',
  zoho: 'com com.au com.cn eu in jp sa uk',
  zohomail: 'com ca cn com.au eu in jp sa uk',
  'net-c': 'com be ca cat es fr it lu nl pl',
  netc: 'eu fr it lu pl',
}

export const services: Record<string, string> = {
  google: 'gmail.com googlemail.com',
  microsoft: 'windowslive.com passport.com',
  yahoo: 'rocketmail.com myyahoo.com yahoomail.com y7mail.com',
  aol: 'aim.com netscape.net netscape.com compuserve.com cs.com love.com wow.com ygm.com wmconnect.com',
  apple: 'icloud.com me.com mac.com',
  proton: 'proton.me protonmail.com protonmail.ch pm.me',
  tuta: 'tuta.com tuta.io tutanota.com tutanota.de tutamail.com keemail.me',
  mailboxOrg: 'mailbox.org',
  hey: 'hey.com',
  // https://www.fastmail.help: every domain that an address can be made at, besides fastmail.* above.
  fastmail: `123mail.org 150mail.com 150ml.com 16mail.com 2-mail.com 4email.net 50mail.com airpost.net allmail.net bestmail.us cluemail.com
    elitemail.org emailcorner.net emailengine.net emailengine.org emailgroups.net emailplus.org emailuser.net eml.cc f-m.fm fast-email.com
    fast-mail.org fastem.com fastemail.us fastemailer.com fastest.cc fastimap.com fastmailbox.net fastmessaging.com fea.st fmail.co.uk
    fmailbox.com fmgirl.com fmguy.com ftml.net h-mail.us hailmail.net imap-mail.com imap.cc imapmail.org inoutbox.com internet-e-mail.com
    internet-mail.org internetemails.net internetmailing.net jetemail.net justemail.net letterboxes.org mail-central.com mail-page.com
    mailandftp.com mailas.com mailbolt.com mailc.net mailcan.com mailforce.net mailftp.com mailhaven.com mailingaddress.org mailite.com
    mailmight.com mailnew.com mailsent.net mailservice.ms mailup.net mailworks.org messagingengine.com ml1.net mm.st myfastmail.com
    mymacmail.com nospammail.net ownmail.net petml.com postinbox.com postpro.net proinbox.com promessage.com realemail.net reallyfast.biz
    reallyfast.info rushpost.com sent.as sent.at sent.com speedpost.net speedymail.org ssl-mail.com swift-mail.com the-fastest.net
    the-quickest.com theinternetemail.com veryfast.biz veryspeedy.net warpmail.net xsmail.com yepmail.net your-mail.com`,
  mailCom: `mail.com email.com accountant.com adexec.com allergist.com alumni.com alumnidirector.com angelic.com appraiser.net
    archaeologist.com arcticmail.com artlover.com asia.com asia-mail.com atheist.com auctioneer.net australiamail.com bartender.net
    bikerider.com birdlover.com brazilmail.com brew-master.com brew-meister.com californiamail.com cash4u.com catlover.com cheerful.com
    chef.net chemist.com chinamail.com clerk.com clubmember.org collector.org columnist.com comic.com computer4u.com consultant.com
    contractor.net coolsite.net counsellor.com cutey.com cyber-wizard.com cyberdude.com cybergal.com cyberservices.com dallasmail.com
    deliveryman.com diplomats.com disciples.com discofan.com doctor.com doglover.com doramail.com dr.com dublin.com dutchmail.com
    elvisfan.com engineer.com englandmail.com europe.com europemail.com execs.com fastservice.com financier.com fireman.net galaxyhit.com
    gardener.com geologist.com germanymail.com graduate.org graphic-designer.com greenmail.net groupmail.com hackermail.com
    hairdresser.net hilarious.com hiphopfan.com homemail.com hot-shot.com housemail.com humanoid.net iname.com indiamail.com innocent.com
    inorbit.com instruction.com instructor.net insurer.com irelandmail.com israelmail.com italymail.com job4u.com journalist.com
    keromail.com kissfans.com kittymail.com koreamail.com lawyer.com legislator.com linuxmail.org loveable.com lovecat.com
    mad.scientist.com madonnafan.com madrid.com mail-me.com marchmail.com metalfan.com mexicomail.com mindless.com minister.com
    mobsters.com monarchy.com moscowmail.com munich.com musician.org muslim.com myself.com net-shopping.com ninfan.com nonpartisan.com
    null.net nycmail.com optician.com orthodontist.net pacificwest.com pediatrician.com petlover.com photographer.net physicist.net
    planetmail.com planetmail.net polandmail.com politician.com post.com presidency.com priest.com programmer.net protestant.com
    publicist.com qualityservice.com radiologist.net ravemail.com realtyagent.com reborn.com reggaefan.com registerednurses.com
    reincarnate.com religious.com repairman.com representative.com rescueteam.com revenue.com rocketship.com rome.com safrica.com
    saintly.com salesperson.net samerica.com sanfranmail.com scientist.com scotlandmail.com secretary.net snakebite.com
    socialworker.net sociologist.com solution4u.com songwriter.net spainmail.com surgical.net swedenmail.com swissmail.com teachers.org
    tech-center.com techie.com technologist.com theplate.com therapist.net toke.com toothfairy.com torontomail.com tvstar.com umpire.com
    usa.com uymail.com webname.com worker.com workmail.com writeme.com`,
  private: `disroot.org riseup.net autistici.org inventati.org runbox.com runbox.eu runbox.no runbox.us rbx.email kolabnow.com kolabnow.ch
    mykolab.com mykolab.ch startmail.com countermail.com hushmail.com hushmail.me hush.com hush.ai mailfence.com ctemplar.com skiff.com
    criptext.com soverin.net lavabit.com vfemail.net neomailbox.com safe-mail.net openmailbox.org thexyz.com thexyz.net elude.in
    danwin1210.de danwin1210.me dnmx.org onionmail.org cyberfear.com mailum.com secmail.pro systemli.org so36.net immerda.ch dismail.de
    paranoid.email ik.me ikmail.com etik.com murena.io e.email sdf.org tilde.club tilde.team envs.net cock.li cock.lu airmail.cc
    firemail.cc tfwno.gf memeware.net goat.si cocaine.ninja waifu.club horsefucker.org aaathats3as.com redchan.it dicksinhisan.us
    national.shitposting.agency nigge.rs`,
  others: `onmail.com vivaldi.net inbox.com inbox.eu mailo.com mailo.eu netcourrier.com mailoo.org usa.net gawab.com mail2world.com emailn.de
    purelymail.com atomicmail.io shortmail.com reagan.com bluemail.ch care2.com catholic.org everyone.net hotpop.com icqmail.com iwon.com
    jmail.co.za myway.com postmaster.co.uk softhome.net spymac.com truthmail.com uku.co.uk witty.com my.com`,
}
