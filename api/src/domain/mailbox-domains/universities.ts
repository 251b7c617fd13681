// What universities and societies give those who have left, or who pay their dues:
// an address for life, at one domain for all.

export const universities: Record<string, string> = {
  unitedStates: `post.harvard.edu alumni.harvard.edu alum.mit.edu aya.yale.edu caa.columbia.edu alum.dartmouth.org alumni.com
    alumnimail.com`,
  unitedKingdom: 'cantab.net cantab.org oxon.org oxon.net oxfordalumni.org',
  france: 'polytechnique.org m4x.org centraliens.net centraliens-lyon.net mines-paris.org supelec.org ensta.org',
  germanySwitzerlandAustria: `alumni.ethz.ch alumni.epfl.ch alumni.tum.de alumni.kit.edu alumni.uni-heidelberg.de alumni.uni-mannheim.de
    alumni.uni-koeln.de alumni.hu-berlin.de alumni.tu-berlin.de alumni.tuwien.ac.at alumni.unisg.ch alumni.uzh.ch alumni.lmu.de
    alumni.fh-aachen.de alumni.rwth-aachen.de`,
  europe: `alumni.dtu.dk alumni.ku.dk alumni.chalmers.se alumni.kth.se alumni.ntnu.no alumni.aalto.fi alumni.kuleuven.be alumni.ugent.be
    alumni.utwente.nl alumni.tudelft.nl alumni.uu.nl alumni.uva.nl alumni.polimi.it alumni.unibo.it alumni.bocconi.it alumni.upc.edu
    alumni.ie.edu alumni.esade.edu alumni.insead.edu alumni.iese.net`,
  canada: 'alumni.ubc.ca alumni.utoronto.ca alumni.mcgill.ca alumni.uwaterloo.ca alumni.sfu.ca alumni.queensu.ca',
  societies: 'acm.org ieee.org computer.org member.fsf.org',
}
