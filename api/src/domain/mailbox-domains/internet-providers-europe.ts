// Internet and phone companies of Europe: what they give their customers.
// Where their own people have another domain, that one is not here.

export const internetProvidersEurope: Record<string, string> = {
  germany: `t-online.de magenta.de arcor.de vodafone.de vodafonemail.de kabelmail.de unitybox.de unity-mail.de kabelbw.de o2mail.de o2online.de
    alice-dsl.de alice-dsl.net alicedsl.de online.de onlinehome.de versanet.de versatel.de netcologne.de ewe.net ewetel.net osnanet.de
    htp-tel.de mnet-online.de mnet-mail.de tele2.de t-mobile.de superkabel.de primacom.de primacom.net kielnet.net wtnet.de
    nordcom.net hansenet.de swbmail.de talknet.de compuserve.de planet-interkom.de surfeu.de`,
  austria: `aon.at a1.net a1mail.at chello.at utanet.at inode.at liwest.at kabsi.at drei.at telering.at tele2.at kabelplus.at salzburg-online.at
    vol.at cable.vol.at netway.at eunet.at speedi.at`,
  switzerland: `bluewin.ch sunrise.ch hispeed.ch swissonline.ch vtxmail.ch vtxnet.ch quickline.ch quicknet.ch netplus.ch tele2.ch datacomm.ch
    besonet.ch solnet.ch ggaweb.ch breitband.ch hispeed.net cablecom.ch econophone.ch`,
  france: `orange.fr wanadoo.fr free.fr freesbee.fr libertysurf.fr online.fr chez.com aliceadsl.fr alice.fr sfr.fr neuf.fr cegetel.net
    club-internet.fr 9online.fr 9business.fr bbox.fr numericable.fr numericable.com noos.fr evhr.net estvideo.fr modulonet.fr infonie.fr
    worldonline.fr tele2.fr oreka.com nordnet.fr wibox.fr ozone.net mageos.com tiscali.fr dartybox.com`,
  italy: `alice.it tin.it tim.it tiscali.it tiscalinet.it fastwebnet.it vodafone.it wind.it inwind.it teletu.it tele2.it
    aruba.it arubapec.it pec.it legalmail.it postecert.it ngi.it infinito.it cheapnet.it mclink.it`,
  spain: `telefonica.net movistar.es terra.es ono.com jazzfree.com jazztel.es orange.es wanadoo.es eresmas.com
    euskaltel.net mundo-r.com telecable.es menta.net ctv.es arrakis.es inicia.es tiscali.es vodafone.es teleline.es`,
  portugal: `sapo.pt meo.pt netcabo.pt zonmail.pt telepac.pt mail.telepac.pt oninet.pt clix.pt kanguru.pt vodafone.pt iol.pt
    netmadeira.com tvtel.pt`,
  unitedKingdom: `btinternet.com btopenworld.com btopenworld.co.uk btconnect.com btclick.com talk21.com talktalk.net talktalk.co.uk
    tiscali.co.uk lineone.net sky.com skydsl.com virginmedia.com virginmedia.co.uk virgin.net ntlworld.com ntlbusiness.com
    blueyonder.co.uk cableinet.co.uk telewest.co.uk plus.com force9.co.uk force9.net free-online.co.uk f9.co.uk o2.co.uk o2email.co.uk
    genie.co.uk orange.net orangehome.co.uk wanadoo.co.uk freeserve.co.uk fsnet.co.uk fsmail.net fslife.co.uk fsworld.co.uk fsbusiness.co.uk
    supanet.com onetel.com onetel.net pipex.com dial.pipex.com toucansurf.com tesco.net vodafone.net
    demon.co.uk zen.co.uk madasafish.com breathe.com breathemail.net cwcom.net nildram.co.uk dsl.pipex.com freeuk.com freeuk.net
    freenetname.co.uk gotadsl.co.uk greenbee.net ukonline.co.uk uwclub.net which.net another.com hotmail.co.uk
    t-mobile.uk.net manx.net jerseymail.co.uk cwgsy.net`,
  ireland: 'eircom.net vodafone.ie iol.ie oceanfree.net esatclear.ie indigo.ie upcmail.ie virginmedia.ie imagine.ie irishbroadband.net',
  netherlands: `ziggo.nl kpnmail.nl kpnplanet.nl planet.nl hetnet.nl home.nl casema.nl upcmail.nl xs4all.nl tele2.nl chello.nl quicknet.nl
    online.nl solcon.nl caiway.nl caiway.net telfort.nl telfortglasvezel.nl zeelandnet.nl zonnet.nl versatel.nl vodafonethuis.nl
    vodafonevast.nl wanadoo.nl orange.nl worldonline.nl tiscali.nl hccnet.nl wxs.nl freeler.nl 12move.nl multiweb.nl euronet.nl
    kabelfoon.nl kabelfoon.net concepts.nl onsbrabantnet.nl onsneteindhoven.nl scarlet.nl introweb.nl xmsnet.nl cheapnet.nl
    tomaatnet.nl glazenkamp.net dds.nl xmail.nl speedlinq.nl youfone.nl`,
  belgium:
    'telenet.be skynet.be proximus.be belgacom.net scarlet.be voo.be pandora.be tvcablenet.be brutele.be evonet.be edpnet.be versateladsl.be tiscali.be numericable.be',
  luxembourg: 'pt.lu vo.lu internet.lu cmdnet.lu',
  denmark: `mail.dk mail.tele.dk tele.dk tdcadsl.dk tdcspace.dk post.tele.dk post1.tele.dk youmail.dk stofanet.dk privat.dk get2net.dk
    webspeed.dk adslhome.dk nordfiber.dk youseepost.dk fasttvnet.dk worldonline.dk wanadoo.dk tiscali.dk
    danbonet.dk dlgmail.dk dlgpost.dk esenet.dk energimail.dk fibermail.dk fiberpost.dk jaynet.dk kabelmail.dk profibermail.dk     vip.cybercity.dk vip.tele.dk`,
  norway:
    'online.no broadpark.no getmail.no c2i.net frisurf.no start.no chello.no lyse.net bluezone.no altiboxmail.no tele2.no nextgentel.com adsl.no bbnett.no hesbynett.no',
  sweden: `telia.com comhem.se bredband.net bredband2.com tele2.se swipnet.se glocalnet.net bahnhof.se spray.se home.se tiscali.se
    utfors.se chello.se ownit.nu ektv.nu bostream.nu brikks.com passagen.se bredbandsbolaget.se`,
  finland:
    'kolumbus.fi elisanet.fi saunalahti.fi welho.com pp.inet.fi inet.fi dnainternet.net nic.fi netti.fi sci.fi surffi.net mbnet.fi phnet.fi pp.phnet.fi jippii.fi luukku.com',
  iceland: 'simnet.is vodafone.is internet.is hive.is isl.is mmedia.is',
  greece: 'otenet.gr forthnet.gr cosmotemail.gr hol.gr tellas.gr vivodinet.gr windtools.gr acn.gr',
  cyprus: 'cytanet.com.cy primehome.com cablenet.com.cy spidernet.com.cy',
  malta: 'onvol.net maltanet.net di-ve.com vol.net.mt go.net.mt waldonet.net.mt keyworld.net',
  poland: 'neostrada.pl poczta.neostrada.pl vectranet.pl upcpoczta.pl chello.pl inea.net.pl toya.net.pl aster.pl plusnet.pl idea.net.pl',
  czechia:
    'o2active.cz quick.cz volny.cz tiscali.cz upcmail.cz chello.cz iol.cz worldonline.cz mybox.cz raz-dva.cz t-email.cz vodafonemail.cz',
  slovakia: 't-com.sk stonline.sk orangemail.sk chello.sk upcmail.sk nextra.sk slovanet.sk zutom.sk',
  hungary:
    't-online.hu upcmail.hu chello.hu invitel.hu axelero.hu matavnet.hu enternet.hu digikabel.hu vnet.hu hdsnet.hu monornet.hu externet.hu pannonmail.hu',
  slovenia: 'siol.net t-2.net t-2.si amis.net telemach.net volja.net triera.net',
  croatia: 't-com.hr htnet.hr hi.ht.hr inet.hr net.hr optinet.hr vip.hr xnet.hr bnet.hr globalnet.hr zg.t-com.hr',
  serbia: 'eunet.rs sbb.rs ptt.rs open.telekom.rs yubc.net verat.net beotel.net beotel.rs neobee.net sezampro.rs ikomline.net madnet.rs',
  bosniaAndNeighbours: 'bih.net.ba teol.net blic.net t-com.me t-home.mk on.net.mk mt.net.mk albaniaonline.net abcom.al',
  romania: 'clicknet.ro rdslink.ro upcmail.ro romtelecom.ro xnet.ro astral.ro rdsmail.ro easynet.ro fx.ro',
  bulgaria: 'spnet.net bol.bg mbox.contact.bg mail.orbitel.bg einet.bg',
  baltics:
    'takas.lt zebra.lt mail.teo.lt balticum-tv.lt init.lt apollo.lv e-apollo.lv starman.ee neti.ee online.ee uninet.ee estpak.ee hot.ee',
  russia: 'mtu-net.ru comail.ru bk.ru mts-nn.ru nextmail.ru sibmail.com tomsknet.ru ',
  turkey: 'ttnet.net.tr ttmail.com superonline.com turk.net kablonet.com.tr tellcom.com.tr',
}
